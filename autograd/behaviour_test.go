package autograd_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	. "github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/repr"
)

// The programs in testdata/behaviour/cases are repeated here in Go
// (behaviour_*_test.go), with the helpers of this file instead of Python's
// syntax. They must observe what was recorded with PyTorch 2.6.

// behaviours are the programs of each module, by name.
var behaviours = map[string]map[string]func() any{
	"metadata":  metadataCases,
	"modes":     modeCases,
	"inplace":   inPlaceCases,
	"views":     viewCases,
	"backward":  backwardCases,
	"hooks":     hookCases,
	"functions": functionCases,
	"forward":   forwardCases,
	"gradcheck": gradcheckCases,
}

// A behaviour is the recorded behaviour of a program.
type behaviour struct {
	Case     string
	Result   string
	Error    string
	Warnings []string
}

func TestProgramsBehaveAsInPyTorch(t *testing.T) {
	for module, programs := range behaviours {
		t.Run(module, func(t *testing.T) {
			recorded := map[string]bool{}
			for _, want := range readBehaviours(t, module) {
				recorded[want.Case] = true
				program := programs[want.Case]
				if program == nil {
					t.Errorf("%s has no counterpart in Go", want.Case)
					continue
				}
				t.Run(want.Case, func(t *testing.T) { checkBehaviour(t, program, want) })
			}
			for name := range maps.Keys(programs) {
				if !recorded[name] {
					t.Errorf("%s was not recorded", name)
				}
			}
		})
	}
}

func readBehaviours(t *testing.T, module string) []behaviour {
	t.Helper()
	text, err := os.ReadFile("testdata/behaviour/" + module + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var list []behaviour
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var b behaviour
		if err := json.Unmarshal([]byte(line), &b); err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	return list
}

func checkBehaviour(t *testing.T, program func() any, want behaviour) {
	t.Helper()
	got := observe(program)
	got.Case = want.Case
	if got.Error != want.Error {
		t.Errorf("raised %q\nwant   %q", got.Error, want.Error)
	}
	if got.Result != want.Result {
		t.Errorf("result differs\n got %s\nwant %s\n%s", got.Result, want.Result, firstDifference(got.Result, want.Result))
	}
	if !slices.Equal(got.Warnings, want.Warnings) {
		t.Errorf("warned\n got %q\nwant %q", got.Warnings, want.Warnings)
	}
}

func firstDifference(got, want string) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	from := max(0, i-60)
	return fmt.Sprintf("first at …%.140s\n      not …%.140s", got[from:], want[from:])
}

// observe runs a program in fresh modes.
func observe(program func() any) (b behaviour) {
	before := SwitchThread(NewThread(0))
	defer SwitchThread(before)
	collect := OnWarning
	defer func() { OnWarning = collect }()
	OnWarning = func(w Warning) { b.Warnings = append(b.Warnings, strings.Split(w.Text, "\n  File ")[0]) }
	SetWarnAlways(true)
	defer SetWarnAlways(false)
	ManualSeed(0)
	defer func() {
		if r := recover(); r != nil {
			b.Error = exception(r)
		}
	}()
	b.Result = show(program())
	return b
}

// exception returns an error as Python shows it. Other panics continue.
func exception(r any) string {
	err, ok := r.(error)
	var e *Error
	if !ok || !errors.As(err, &e) {
		panic(r)
	}
	if cause := e.Unwrap(); cause != nil {
		return cause.Error() // "ValueError: boom"
	}
	return e.Error()
}

// do panics with an error, as Python raises it.
func do(err error) {
	if err != nil {
		panic(err)
	}
}

// get returns the value, or panics with the error.
func get[T any](value T, err error) T {
	do(err)
	return value
}

// inPlace returns t after an in-place operator, or panics with its error.
func inPlace(t *Tensor, err error) *Tensor {
	do(err)
	return t
}

// raised shows the error that f raises, or its result.
func raised(f func() any) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = exception(r)
		}
	}()
	return show(f())
}

// raisedBy is raised for functions that return only an error.
func raisedBy(f func() error) string {
	return raised(func() any { do(f()); return nil })
}

// A dict is a Python dict: labels and values.
type dict []struct {
	label string
	value any
}

// show returns the text of an observation.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case string:
		return v
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case *Tensor:
		do(v.Err())
		return v.String()
	case *Node:
		if v == nil {
			return "None"
		}
		return "<" + v.ClassName() + ">"
	case float64:
		return repr.Float(v)
	case []int:
		return repr.Size(v)
	case []*Tensor:
		return show(tuple(v))
	case Tuple:
		if len(v) == 1 {
			return "(" + show(v[0]) + ",)"
		}
		return "(" + showAll(v) + ")"
	case []any:
		return "[" + showAll(v) + "]"
	case dict:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = e.label + ": " + show(e.value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v)
}

func showAll(values []any) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = show(v)
	}
	return strings.Join(parts, ", ")
}

// meta shows the metadata of a tensor.
func meta(t *Tensor) string {
	do(t.Err())
	fn := get(t.GradFn())
	text := "None"
	if fn != nil {
		text = fn.ClassName()
	}
	text += fmt.Sprintf(":%d", t.OutputNr())
	if v, err := t.Version(); err == nil {
		text += fmt.Sprintf(" v%d", v)
	}
	words := []string{}
	for _, flag := range []struct {
		word string
		on   bool
	}{
		{"leaf", t.IsLeaf()}, {"view", t.IsView()}, {"requires_grad", t.RequiresGrad()},
		{"retains_grad", t.RetainsGrad()}, {"inference", t.IsInference()},
	} {
		if flag.on {
			words = append(words, flag.word)
		}
	}
	return text + " " + strings.Join(words, " ")
}

// tree returns the graph of a tensor as nested calls.
func tree(t *Tensor) string { return nodeTree(gradFn(t)) }

func nodeTree(fn *Node) string {
	if fn == nil {
		return "None"
	}
	var below []string
	for _, e := range fn.NextFunctions() {
		text := nodeTree(e.Node)
		if e.Input != 0 {
			text += fmt.Sprintf(":%d", e.Input)
		}
		below = append(below, text)
	}
	if len(below) == 0 {
		return fn.ClassName()
	}
	return fn.ClassName() + "(" + strings.Join(below, ", ") + ")"
}

func gradFn(t *Tensor) *Node {
	do(t.Err())
	return get(t.GradFn())
}

func version(t *Tensor) int { return get(t.Version()) }

// leaf returns a float32 leaf that requires grad, [1, 2, 3] by default.
func leaf(values ...float64) *Tensor {
	if len(values) == 0 {
		values = []float64{1, 2, 3}
	}
	return New(values, RequiresGrad)
}

func scalar(value float64) *Tensor { return New(value, RequiresGrad) }

// rows2 returns a leaf of shape [2, 3] that requires grad.
func rows2() *Tensor { return New([][]float64{{1, 2, 3}, {4, 5, 6}}, RequiresGrad) }

func ones(sizes ...int) *Tensor  { return Ones(sizes) }
func zeros(sizes ...int) *Tensor { return Zeros(sizes) }

// all is the slice ":" in an index expression.
var all = Slice{}

// tuple returns a list of tensors as a Tuple.
func tuple(ts []*Tensor) Tuple {
	items := make(Tuple, len(ts))
	for i, t := range ts {
		items[i] = t
	}
	return items
}

// lambda registers a hook as a Python program does: its name is <lambda>, and
// the program keeps the gradient only if the hook holds it.
func lambda(t *Tensor, f func(g *Tensor) any) HookHandle {
	return get(t.RegisterNamedHook("<lambda>", func(g *Tensor) (result any, err error) {
		defer func() { err = errorOf(recover(), err) }()
		return f(g), nil
	}))
}

// errorOf converts what a Python program raises to an error.
func errorOf(r any, err error) error {
	if r == nil {
		return err
	}
	if e, ok := r.(error); ok {
		return e
	}
	panic(r)
}

// valueError is an exception raised by a program.
type valueError string

func (e valueError) Error() string { return "ValueError: " + string(e) }

// call runs an operator by name and returns its first result.
func call(name string, args ...any) *Tensor { return get(Call(name, args))[0] }

func TestProgramsNeedNoGradientThatIsUsedAgain(t *testing.T) {
	Bury(t)
	TestProgramsBehaveAsInPyTorch(t)
}
