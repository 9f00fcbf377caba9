// Command cel compiles and evaluates expressions with Kubernetes' own environment, libraries and limits. The suite beside it
// compares what it says with what our own engine says.
//
// Each line of standard input is one question in JSON and is answered with one line of JSON on standard output.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
)

type question struct {
	Expression string `json:"expression"`
	// Self is the value of the variable of that name, of no declared type.
	Self any `json:"self"`
	// Schema, when there is one, has rules: Object is held to them, and replaces Old.
	Schema *apiextensionsv1.JSONSchemaProps `json:"schema"`
	Object any                              `json:"object"`
	Old    any                              `json:"old"`
}

type answer struct {
	Issues  string `json:"issues,omitempty"`
	Program string `json:"program,omitempty"`
	Type    string `json:"type,omitempty"`
	Error   string `json:"error,omitempty"`
	Value   any    `json:"value,omitempty"`
	Cost    uint64 `json:"cost"`
	// Estimates are the worst cost of the rules at the root of the schema, Refusals what was wrong with the object.
	Estimates []uint64 `json:"estimates,omitempty"`
	Refusals  []string `json:"refusals,omitempty"`
}

func main() {
	env, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(environment.VersionedOptions{
		IntroducedVersion: environment.DefaultCompatibilityVersion(),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", cel.DynType)},
	})
	if err != nil {
		panic(err)
	}
	sorted, err := withSortedMaps(env.StoredExpressionsEnv())
	if err != nil {
		panic(err)
	}
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(make([]byte, 1<<20), 1<<26)
	for scanner.Scan() {
		var asked question
		if err := utiljson.Unmarshal(scanner.Bytes(), &asked); err != nil {
			panic(err)
		}
		var told answer
		if asked.Schema != nil {
			told = askSchema(asked)
		} else {
			told = ask(sorted, asked)
		}
		line, err := json.Marshal(told)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(line))
	}
}

func ask(env *cel.Env, asked question) answer {
	ast, issues := env.Compile(asked.Expression)
	if issues != nil {
		return answer{Issues: issues.String()}
	}
	told := answer{Type: cel.FormatCELType(ast.OutputType())}
	program, err := env.Program(ast)
	if err != nil {
		told.Program = err.Error()
		return told
	}
	value, details, err := program.Eval(map[string]any{"self": asked.Self})
	if details != nil && details.ActualCost() != nil {
		told.Cost = *details.ActualCost()
	}
	if err != nil {
		told.Error = err.Error()
		return told
	}
	told.Value = shown(value)
	return told
}

func askSchema(asked question) answer {
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(asked.Schema, internal, nil); err != nil {
		return answer{Issues: err.Error()}
	}
	structural, err := schema.NewStructural(internal)
	if err != nil {
		return answer{Issues: err.Error()}
	}
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	results, err := schemacel.Compile(structural, model.SchemaDeclType(structural, true), celconfig.PerCallLimit, base, schemacel.NewExpressionsEnvLoader())
	if err != nil {
		return answer{Issues: err.Error()}
	}
	var told answer
	for _, result := range results {
		told.Estimates = append(told.Estimates, result.MaxCost)
		if result.Error != nil {
			told.Refusals = append(told.Refusals, result.Error.Detail)
		}
		if result.MessageExpressionError != nil {
			told.Refusals = append(told.Refusals, result.MessageExpressionError.Detail)
		}
	}
	if len(told.Refusals) > 0 || asked.Object == nil {
		return told
	}
	validator := schemacel.NewValidator(structural, true, celconfig.PerCallLimit)
	var options []schemacel.Option
	if asked.Old != nil {
		options = append(options, schemacel.WithRatcheting(common.NewCorrelatedObject(asked.Object, asked.Old, &model.Structural{Structural: structural})))
	}
	errs, _ := validator.Validate(context.Background(), nil, structural, asked.Object, asked.Old, celconfig.RuntimeCELCostBudget, options...)
	for _, err := range errs {
		told.Refusals = append(told.Refusals, err.Error())
	}
	return told
}

// shown is a form that tells types apart, and that both sides can make.
func shown(value ref.Val) any {
	switch v := value.(type) {
	case types.Bool:
		return bool(v)
	case types.Int:
		return fmt.Sprintf("int %d", int64(v))
	case types.Uint:
		return fmt.Sprintf("uint %d", uint64(v))
	case types.Double:
		return fmt.Sprintf("double %v", float64(v))
	case types.String:
		return fmt.Sprintf("string %s", string(v))
	case types.Bytes:
		return fmt.Sprintf("bytes %x", []byte(v))
	case types.Null:
		return "null"
	case types.Duration:
		return fmt.Sprintf("duration %d", int64(v.Duration))
	case types.Timestamp:
		return fmt.Sprintf("timestamp %s", v.ConvertToType(types.StringType).Value())
	case *types.Type:
		return fmt.Sprintf("type %s", v.TypeName())
	case *types.Optional:
		if !v.HasValue() {
			return "none"
		}
		return map[string]any{"optional": shown(v.GetValue())}
	case apiservercel.Quantity:
		return fmt.Sprintf("quantity %s", v.String())
	case *apiservercel.Quantity:
		return fmt.Sprintf("quantity %s", v.String())
	case traits.Lister:
		items := []any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			items = append(items, shown(it.Next()))
		}
		return items
	case traits.Mapper:
		entries := map[string]any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			entries[fmt.Sprint(shown(key))] = shown(v.Get(key))
		}
		return map[string]any{"map": entries}
	default:
		return fmt.Sprintf("%s", value.Type().TypeName())
	}
}
