package control_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/control"
)

func TestBreakpointsAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]control.Breakpoint{
		"train.py:12":                      {Query: "train.py:12"},
		"  op   mul* ":                     {Query: "op   mul*"},
		"inplace w skip 2":                 {Query: "inplace w", Skip: 2},
		"train.py:7   skip  10":            {Query: "train.py:7", Skip: 10},
		`op == "mm" and max(out) > 3`:      {Query: `op == "mm" and max(out) > 3`},
		"inplace w if version >= 2 skip 1": {Query: "inplace w if version >= 2", Skip: 1},
	} {
		got, err := control.ParseBreakpoint(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		if again, err := control.ParseBreakpoint(got.String()); err != nil || again != got {
			t.Errorf("%s is %s, which is %+v, %v", text, got, again, err)
		}
	}
	for text, want := range map[string]string{
		"moon":                          "moon is a tensor",
		"skip 3":                        "there is no query",
		"nan skip 99999999999999999999": "too many",
	} {
		b, err := control.ParseBreakpoint(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", text, b, err, want)
		}
	}
}

// What is said before the program is there is done when it is.
func TestBreakpointsCanBeSetBeforeTheProgramStarts(t *testing.T) {
	s := control.NewSession(control.Command{})
	if err := s.Break(control.Breakpoint{ID: 1, Query: "error"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Break(control.Breakpoint{ID: 2, Query: "op add"}); err != nil {
		t.Fatal(err)
	}
	d := startIn(t, s, chain)
	if stop, _ := d.stop(); stop.Breakpoint != 2 {
		t.Errorf("%+v", stop)
	}
	d.s.Resume(control.Continue)
	d.over()
}
