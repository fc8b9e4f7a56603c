package autograd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pyeval"
)

// The test in this file runs random programs (testdata/programs) and compares
// their observable behaviour with PyTorch's: the error and the warnings of
// every statement, and every variable at the end.

// A randomProgram is a line of testdata/programs.
type randomProgram struct {
	Seed  int
	Steps []struct {
		Source, Error string
		Tree          json.RawMessage
		Warnings      []string
	}
	Variables map[string]any
}

func TestRandomProgramsDoWhatPyTorchDoes(t *testing.T) {
	files, err := filepath.Glob("testdata/programs/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		for d.More() {
			var p randomProgram
			if err := d.Decode(&p); err != nil {
				t.Fatal(path, err)
			}
			t.Run(fmt.Sprint(p.Seed), func(t *testing.T) {
				for _, difference := range p.differences() {
					t.Error(difference)
				}
			})
		}
	}
}

// differences runs a program and returns its differences from PyTorch.
func (p randomProgram) differences() (list []string) {
	trees := pyeval.Programs{}
	in := pyeval.New(trees)
	var source strings.Builder
	inFreshState(func() {
		for i, step := range p.Steps {
			fmt.Fprintf(&source, "%s\n", step.Source)
			if err := trees.Add(step.Source, step.Tree); err != nil {
				list = append(list, err.Error())
				return
			}
			raised := ""
			warned := inFreshWarnings(func() {
				if _, err := in.Run(step.Source); err != nil {
					raised = describeError(err)
				}
			})
			if raised != step.Error {
				list = append(list, fmt.Sprintf("statement %d raises\n got %s\nwant %s\n%s", i, raised, step.Error, &source))
			}
			if !slices.Equal(warned, step.Warnings) {
				list = append(list, fmt.Sprintf("statement %d warns\n got %q\nwant %q\n%s", i, warned, step.Warnings, &source))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(p.Variables)) {
			v, ok := in.Global(name)
			if !ok {
				list = append(list, fmt.Sprintf("variable %s is missing\n%s", name, &source))
				continue
			}
			for _, d := range compareValues(name, describeValue(v), p.Variables[name]) {
				list = append(list, d+"\n"+source.String())
			}
		}
	})
	return list
}

func describeError(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return string(e.Type) + ": " + e.Text
	}
	return "(not run) " + err.Error()
}

// inFreshWarnings runs f and returns its warnings.
func inFreshWarnings(f func()) (warned []string) {
	defer func(before func(Warning)) { OnWarning = before }(OnWarning)
	OnWarning = func(w Warning) {
		text, _, _ := strings.Cut(w.Text, " (Triggered internally at")
		warned = append(warned, w.Category+": "+text)
	}
	f()
	return warned
}

// describeValue is value() of random_programs.py.
func describeValue(v any) any {
	list, isList := []any(nil), true
	switch x := v.(type) {
	case *Tensor:
		return describeTensor(x)
	case []any:
		list = x
	case Tuple:
		list = x
	case NamedTuple:
		list = x.Tuple
	case Size:
		for _, n := range x {
			list = append(list, n)
		}
	case nil, bool, int, float64, string:
		return v
	default:
		isList = false
	}
	if !isList {
		return "?"
	}
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = describeValue(x)
	}
	return out
}

// describeTensor is state() of random_programs.py.
func describeTensor(t *Tensor) map[string]any {
	attempt := func(name string) any {
		v, err := Attr(t, name)
		if m, ok := v.(*BoundMethod); ok {
			v, err = m.Call(nil)
		}
		if err != nil {
			return strings.TrimPrefix(describeError(err), "RuntimeError: ")
		}
		return v
	}
	out := map[string]any{
		"shape": describeValue(attempt("shape")), "stride": describeValue(attempt("stride")), "offset": attempt("storage_offset"), "dtype": fmt.Sprint("torch.", t.DType()),
	}
	switch fn := attempt("grad_fn").(type) {
	case *Node:
		out["history"] = describeHistory(fn, 4)
	case nil:
		out["history"] = "-"
	default:
		out["history"] = fn
	}
	var flags any
	for _, name := range []string{"requires_grad", "is_leaf", "retains_grad", "_is_view", "is_inference"} {
		flag := attempt(name)
		if text, ok := flag.(string); ok {
			flags = text
			break
		}
		list, _ := flags.([]any)
		flags = append(list, flag)
	}
	out["flags"] = flags
	out["output"], out["version"] = attempt("output_nr"), attempt("_version")
	var values []any
	for _, x := range t.Float64s() {
		values = append(values, x)
	}
	out["values"], out["repr"] = values, attempt("__repr__")
	if g := t.Grad(); g != nil {
		out["grad"] = describeTensor(g)
	}
	return out
}

// describeHistory is history() of random_programs.py.
func describeHistory(n *Node, depth int) string {
	if n == nil {
		return "-"
	}
	next := n.NextFunctions()
	switch {
	case len(next) == 0:
		return n.ClassName()
	case depth == 1:
		return n.ClassName() + "(...)"
	}
	parts := make([]string, len(next))
	for i, e := range next {
		parts[i] = describeHistory(e.Node, depth-1)
		if e.Input != 0 {
			parts[i] += fmt.Sprintf("#%d", e.Input)
		}
	}
	return n.ClassName() + "(" + strings.Join(parts, ", ") + ")"
}

// compareValues returns the differences between a description and the recorded
// one. Floating-point numbers may differ by rounding.
func compareValues(path string, got, want any) (list []string) {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s is not a tensor", path)}
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if key != "repr" || got["repr"] != want["repr"] && !sameText(got["repr"], want["repr"]) {
				list = append(list, compareValues(path+"."+key, got[key], want[key])...)
			}
		}
		if len(got) > len(want) {
			list = append(list, path+" has a grad")
		}
		return list
	case []any:
		got, ok := got.([]any)
		if len(got) != len(want) || !ok && len(want) > 0 {
			return []string{fmt.Sprintf("%s\n got %v\nwant %v", path, got, want)}
		}
		for i := range want {
			if d := compareValues(fmt.Sprintf("%s[%d]", path, i), got[i], want[i]); d != nil {
				return d
			}
		}
		return nil
	}
	if got == want || sameNumber(got, want) {
		return nil
	}
	return []string{fmt.Sprintf("%s\n got %v\nwant %v", path, got, want)}
}

// sameText reports whether two texts differ only in the last digits of numbers.
func sameText(got, want any) bool {
	g, _ := got.(string)
	w, _ := want.(string)
	split := func(text string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("[](), \n=", r) })
	}
	return slices.EqualFunc(split(g), split(w), func(a, b string) bool {
		return a == b || sameNumber(a, json.Number(b))
	})
}

// sameNumber reports whether two numbers agree up to rounding.
func sameNumber(got, want any) bool {
	x, err := strconv.ParseFloat(strings.TrimSpace(fmt.Sprint(got)), 64)
	y, err2 := strconv.ParseFloat(fmt.Sprint(want), 64)
	if b, ok := got.(bool); ok && b == (want == true) {
		return true
	}
	switch {
	case want == true || want == false:
		return err == nil && (x != 0) == (want == true)
	case err != nil || err2 != nil:
		return false
	}
	return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= 1e-6+2e-5*math.Abs(y)
}
