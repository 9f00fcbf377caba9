//go:build ignore

// Prints the Go structures that a Kubernetes API server decodes the given kinds into, as JSON. Decoding is decided by
// them alone: which fields there are, what type each has, and what an error calls it. See generate-go-types.ts.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

var (
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	types       = [][]any{}
	indexes     = map[reflect.Type]int{}
)

func main() {
	for _, add := range []func(*runtime.Scheme) error{apiextensions.AddToScheme, apiregistration.AddToScheme} {
		if err := add(scheme.Scheme); err != nil {
			panic(err)
		}
	}
	kinds := map[string]int{}
	for _, name := range os.Args[1:] {
		cut := strings.LastIndex(name, "/")
		object, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(name[:cut], name[cut+1:]))
		if err != nil {
			panic(err)
		}
		kinds[name] = index(reflect.TypeOf(object))
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"kinds": kinds, "types": types}); err != nil {
		panic(err)
	}
}

// Pointers are followed: they say only what null means.
func index(t reflect.Type) int {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if at, known := indexes[t]; known {
		return at
	}
	at := len(types)
	indexes[t] = at
	types = append(types, nil)
	types[at] = describe(t)
	return at
}

func describe(t reflect.Type) []any {
	if reflect.PointerTo(t).Implements(unmarshaler) {
		switch t.Name() {
		case "JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray":
			one, _ := t.FieldByName("Schema")
			return []any{t.Name(), t.String(), index(one.Type)}
		}
		return []any{t.Name(), t.String()}
	}
	switch t.Kind() {
	case reflect.Struct:
		return []any{"struct", t.String(), fieldsOf(t)}
	case reflect.Map:
		return []any{"map", t.String(), index(t.Elem())}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return []any{"bytes", t.String()}
		}
		return []any{"list", t.String(), index(t.Elem())}
	default:
		return []any{t.Kind().String(), t.String()}
	}
}

// fieldsOf gives by name in JSON the type, or, for a field of an embedded structure, the type and the names on the way to it.
func fieldsOf(t reflect.Type) map[string]any {
	fields := map[string]any{}
	var embedded []reflect.StructField
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-" || !field.IsExported():
		case name == "" && field.Anonymous:
			embedded = append(embedded, field)
		case name == "" && strings.Contains(options, "inline"):
			panic("inline, but not embedded: " + t.String() + "." + field.Name)
		case name == "":
			fields[field.Name] = index(field.Type)
		default:
			fields[name] = index(field.Type)
		}
	}
	for _, field := range embedded {
		inner := field.Type
		for inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		within := fieldsOf(inner)
		names := make([]string, 0, len(within))
		for name := range within {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			if _, taken := fields[name]; taken {
				continue
			}
			switch value := within[name].(type) {
			case int:
				fields[name] = []any{value, field.Name}
			case []any:
				fields[name] = []any{value[0], field.Name + "." + value[1].(string)}
			}
		}
	}
	return fields
}
