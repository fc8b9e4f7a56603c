package autograd_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	. "github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pyeval"
)

// The tests in this file run the Python expressions and snippets that were
// recorded with PyTorch (testdata/conformance, and the vectors of the printer
// and of the random generator).

// readPrograms reads the syntax trees of all snippets.
func readPrograms(t *testing.T) pyeval.Programs {
	t.Helper()
	p, err := pyeval.Load("testdata/conformance/trees.json")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// readJSON reads a file of recorded data.
func readJSON[T any](t *testing.T, path string) (v T) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// inFreshState runs f like a program of its own and returns its warnings.
func inFreshState(f func()) (warnings []Warning) {
	defer SwitchThread(SwitchThread(NewThread(0)))
	defer func(before func(Warning)) { OnWarning = before }(OnWarning)
	OnWarning = func(w Warning) { warnings = append(warnings, w) }
	SetWarnAlways(true)
	defer SetWarnAlways(false)
	f()
	return warnings
}

// knownDifferences returns the differences between PyTorch 1.13 and 2.6, by
// test.
func knownDifferences(t *testing.T) []knownDifference {
	return readJSON[[]knownDifference](t, "testdata/conformance/known.json")
}

type knownDifference struct {
	Case string
	Old  string `json:"1.13"`
	New  string `json:"2.6"`
	Why  string
}

func TestErrorsAreThoseOfPyTorch(t *testing.T) {
	type recorded struct {
		ID               int
		Code, Type, Text string
	}
	cases := readJSON[[]recorded](t, "testdata/conformance/errors.json")
	if len(cases) != 150 {
		t.Errorf("only %d cases", len(cases))
	}
	programs := readPrograms(t)
	for _, c := range cases {
		t.Run(fmt.Sprint(c.ID), func(t *testing.T) {
			var err error
			warnings := inFreshState(func() { _, err = pyeval.New(programs).Run(c.Code) })
			got := recorded{ID: c.ID, Code: c.Code, Type: "(none)"}
			var e *Error
			switch {
			case errors.As(err, &e):
				got.Type, got.Text = string(e.Type), e.Text
			case err != nil:
				t.Fatal(err)
			case len(warnings) > 0:
				got.Type, got.Text = warnings[0].Category, warnings[0].Text
			}
			if got != c {
				t.Errorf("%s\n got %s: %s\nwant %s: %s", c.Code, got.Type, got.Text, c.Type, c.Text)
			}
		})
	}
}

func TestRepr(t *testing.T) {
	cases := readJSON[[]struct{ Expr, Repr string }](t, "internal/repr/testdata/repr.json")
	if len(cases) != 127 {
		t.Errorf("only %d cases", len(cases))
	}
	programs := readPrograms(t)
	for _, c := range cases {
		inFreshState(func() {
			v, err := pyeval.New(programs).Run(c.Expr)
			if err != nil {
				t.Errorf("%s: %v", c.Expr, err)
				return
			}
			if got, err := CallAttr(v, "__repr__", nil); err != nil || got != c.Repr {
				t.Errorf("%s\n got %v\nwant %s\n%v", c.Expr, got, c.Repr, err)
			}
		})
	}
}

// TestRandom draws every recorded random number.
func TestRandom(t *testing.T) {
	recorded := readJSON[struct {
		Vectors []struct {
			Seed   json.Number
			Expr   string
			Shape  []int
			DType  string
			Values []float64
		}
		Sequences []struct {
			Seed   json.Number
			Counts []int
			Values [][]float64
		}
	}](t, "random/testdata/rng.json")
	if len(recorded.Vectors) != 78 || len(recorded.Sequences) != 18 {
		t.Errorf("only %d vectors and %d sequences", len(recorded.Vectors), len(recorded.Sequences))
	}
	programs := readPrograms(t)
	for _, v := range recorded.Vectors {
		seed(t, v.Seed)
		value, err := pyeval.New(programs).Run(v.Expr)
		x, ok := value.(*Tensor)
		switch {
		case !ok:
			t.Errorf("seed %s, %s: %v %v", v.Seed, v.Expr, value, err)
		case !slices.Equal(x.Shape(), v.Shape) || x.DType().String() != v.DType:
			t.Errorf("seed %s, %s: %s of shape %v, want %s of shape %v", v.Seed, v.Expr, x.DType(), x.Shape(), v.DType, v.Shape)
		case !slices.Equal(x.Float64s(), v.Values):
			t.Errorf("seed %s, %s\n got %v\nwant %v", v.Seed, v.Expr, x.Float64s(), v.Values)
		}
	}
	for _, s := range recorded.Sequences {
		seed(t, s.Seed)
		for i, n := range s.Counts {
			x, err := CallFunction("torch.randn", []any{n})
			if err != nil {
				t.Fatal(err)
			}
			if got := x.(*Tensor).Float64s(); !slices.Equal(got, s.Values[i]) {
				t.Errorf("seed %s, call %d of randn(%d)\n got %v\nwant %v", s.Seed, i, n, got, s.Values[i])
			}
		}
	}
}

func seed(t *testing.T, seed json.Number) {
	t.Helper()
	n, ok := new(big.Int).SetString(seed.String(), 10)
	var value any = int(n.Int64())
	if !n.IsInt64() {
		value = n.Uint64()
	}
	if _, err := CallFunction("torch.manual_seed", []any{value}); !ok || err != nil {
		t.Fatal(seed, err)
	}
}

// TestGraphsOfOperators describes the graph of every expression in the form of
// tools/record/conformance/operators.py.
func TestGraphsOfOperators(t *testing.T) {
	recorded := readLines(t, "testdata/conformance/operators-1.13.txt")
	want := map[string]string{}
	for _, line := range recorded {
		want[graphCase(line)] = line
	}
	changed := map[string]bool{}
	for _, k := range knownDifferences(t) {
		if strings.HasPrefix(k.Case, "error ") {
			continue
		}
		if want[k.Case] != k.Old || k.Old == k.New {
			t.Errorf("%s: PyTorch 1.13 does not say %q, so this is not a difference", k.Case, k.Old)
		}
		want[k.Case] = k.New
		changed[k.Case] = true
	}
	seen := map[string]bool{}
	inFreshState(func() {
		in := pyeval.New(readPrograms(t))
		if _, err := in.Run(operatorPrelude(t)); err != nil {
			t.Fatal(err)
		}
		for _, line := range readLines(t, "testdata/conformance/operators.txt") {
			label, expression := strings.TrimSpace(line[:operatorLabel]), strings.TrimSpace(line[operatorLabel:])
			for _, got := range graphLines(in, label, expression) {
				name := graphCase(got)
				seen[name] = true
				if want[name] != got {
					t.Errorf("%s\n got %s\nwant %s", expression, got, want[name])
				}
			}
		}
	})
	for _, line := range recorded {
		if name := graphCase(line); !seen[name] {
			t.Errorf("no result for %s", want[name])
		}
	}
}

// TestKnownDifferencesOfErrors checks the list of differences against the
// recorded texts.
func TestKnownDifferencesOfErrors(t *testing.T) {
	recorded := map[string]string{}
	for _, c := range readJSON[[]struct {
		ID         int
		Type, Text string
	}](t, "testdata/conformance/errors.json") {
		recorded[fmt.Sprintf("error %d", c.ID)] = c.Type + ": " + c.Text
	}
	for _, k := range knownDifferences(t) {
		if k.Why == "" {
			t.Errorf("%s: the reason is missing", k.Case)
		}
		if strings.HasPrefix(k.Case, "error ") && (recorded[k.Case] != k.New || k.Old == k.New) {
			t.Errorf("%s: %q does not differ from the recorded text %q", k.Case, k.New, recorded[k.Case])
		}
	}
}
