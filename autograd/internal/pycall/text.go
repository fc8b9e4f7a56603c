package pycall

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gradtui/gradtui/autograd"
)

// IsNone reports whether a value represents None: nil, or a nil pointer.
func IsNone(v any) bool {
	r := reflect.ValueOf(v)
	return v == nil || r.Kind() == reflect.Pointer && r.IsNil()
}

// Quote formats a string as repr does.
func Quote(s string) string {
	quote := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = `"`
	}
	s = strings.ReplaceAll(s, `\`, `\\`)
	s = strings.ReplaceAll(s, quote, `\`+quote)
	return quote + strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s) + quote
}

// Repr formats a value as repr does. Slices are tuples.
func Repr(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case string:
		return Quote(v)
	case []int:
		return tuple(v, func(n int) string { return fmt.Sprint(n) })
	case []float64:
		return tuple(v, func(f float64) string { return autograd.FloatScalar(f).String() })
	case bool:
		return autograd.BoolScalar(v).String()
	case float64:
		return autograd.FloatScalar(v).String()
	case autograd.DType:
		return "torch." + v.String()
	}
	return fmt.Sprint(v)
}

// Str formats a value as str does.
func Str(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return Repr(v)
}

func tuple[T any](list []T, repr func(x T) string) string {
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = repr(x)
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// TypeName returns the name that torch.typename gives the type of a value. A
// value may define its name with a method PythonType.
func TypeName(v any) string {
	if IsNone(v) {
		return "NoneType"
	}
	switch v := v.(type) {
	case *autograd.Tensor:
		return v.Type()
	case interface{ PythonType() string }:
		return v.PythonType()
	case bool:
		return "bool"
	case int, int64, int32:
		return "int"
	case float64, float32:
		return "float"
	case string:
		return "str"
	}
	if reflect.TypeOf(v).Kind() == reflect.Slice {
		return "list"
	}
	return fmt.Sprintf("%T", v)
}
