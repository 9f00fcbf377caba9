package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// withSortedMaps has every map walked by its sorted keys. Go walks maps in no order, so what depends on it (the cost of an
// `exists` that ends early, the text of an error that shows a map) would be another in each run.
func withSortedMaps(env *cel.Env) (*cel.Env, error) {
	return env.Extend(cel.CustomTypeAdapter(sortingAdapter{env.CELTypeAdapter()}))
}

type sortingAdapter struct{ types.Adapter }

func (a sortingAdapter) NativeToValue(value any) ref.Val {
	var made ref.Val
	switch native := value.(type) {
	case ref.Val:
		made = native
	// Given this adapter, these three make values of their contents by it.
	case []any:
		made = types.NewDynamicList(a, native)
	case map[string]any:
		made = types.NewStringInterfaceMap(a, native)
	case map[ref.Val]ref.Val:
		made = types.NewRefValMap(a, native)
	default:
		made = a.Adapter.NativeToValue(value)
	}
	switch made.(type) {
	case sortedMap, traits.MutableMapper:
		return made
	}
	if mapper, ok := made.(traits.Mapper); ok {
		return sortedMap{mapper}
	}
	return made
}

type sortedMap struct{ traits.Mapper }

func (m sortedMap) sortedKeys() []ref.Val {
	var keys []ref.Val
	for it := m.Mapper.Iterator(); it.HasNext() == types.True; {
		keys = append(keys, it.Next())
	}
	sort.Slice(keys, func(i, j int) bool { return types.Format(keys[i]) < types.Format(keys[j]) })
	return keys
}

func (m sortedMap) Iterator() traits.Iterator {
	return types.NewRefValList(types.DefaultTypeAdapter, m.sortedKeys()).Iterator()
}

func (m sortedMap) IsZeroValue() bool { return m.Size() == types.IntZero }

func (m sortedMap) String() string {
	var entries []string
	for _, key := range m.sortedKeys() {
		entries = append(entries, fmt.Sprintf("%v: %v", key, m.Get(key)))
	}
	return "{" + strings.Join(entries, ", ") + "}"
}
