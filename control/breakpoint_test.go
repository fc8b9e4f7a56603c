package control_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/control"
)

func TestBreakpointsAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]control.Breakpoint{
		"train.py:12":           {On: control.OnLine, File: "train.py", Line: 12},
		"a folder/train.py:12":  {On: control.OnLine, File: "a folder/train.py", Line: 12},
		"op mul*":               {On: control.OnOp, Pattern: "mul*"},
		"  op   mul* ":          {On: control.OnOp, Pattern: "mul*"},
		"tensor self.w":         {On: control.OnTensor, Pattern: "self.w"},
		"tensor layers[0]":      {On: control.OnTensor, Pattern: "layers[0]"},
		"inplace":               {On: control.OnInPlace},
		"inplace w skip 2":      {On: control.OnInPlace, Pattern: "w", Skip: 2},
		"free":                  {On: control.OnFree},
		"free MulBackward0":     {On: control.OnFree, Pattern: "MulBackward0"},
		"nan":                   {On: control.OnNotFinite},
		"nan skip 1":            {On: control.OnNotFinite, Skip: 1},
		"warning":               {On: control.OnWarning},
		"error":                 {On: control.OnError},
		"train.py:7   skip  10": {On: control.OnLine, File: "train.py", Line: 7, Skip: 10},
		"finding":               {On: control.OnFinding},
		"finding nan-grad":      {On: control.OnFinding, Pattern: "nan-grad"},
		"op mul* if max>1e3":    {On: control.OnOp, Pattern: "mul*", If: control.Condition{Quantity: "max", Is: ">", Than: 1000}},
		"inplace w if version >= 2 skip 1": {
			On: control.OnInPlace, Pattern: "w", Skip: 1, If: control.Condition{Quantity: "version", Is: ">=", Than: 2},
		},
	} {
		got, err := control.ParseBreakpoint(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestAnInvalidBreakpointSaysWhatIsPossible(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "there are: FILE:LINE, op NAME, tensor NAME, inplace [NAME], free [NODE], nan, warning, error, finding [CODE]",
		"moon":                          "FILE:LINE",
		"tenser w":                      `did you mean "tensor"?`,
		"op":                            `such as "relu*"`,
		"tensor":                        `such as "loss"`,
		"nan w":                         `unexpected "w"`,
		"op [":                          "syntax error in pattern",
		"op mul if size > 3":            "one of version, numel, min, max, mean, nan, inf",
		"op mul if max => 3":            "compares with <, <=",
		"op mul if max > many":          `"many", which is not a number`,
		"op mul if max > nan":           "use nan > 0",
		"train.py:0":                    "needs a file and a line",
		"train.py:x":                    "FILE:LINE",
		"nan skip 99999999999999999999": "too many",
		"a.py:99999999999999999999":     "too many",
		"skip 3":                        "FILE:LINE",
	} {
		b, err := control.ParseBreakpoint(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", text, b, err, want)
		}
	}
}

// What a breakpoint prints is what it is read from.
func TestBreakpointsSurviveTheirText(t *testing.T) {
	name := rapid.StringMatching(`[a-z_*?.]{1,8}`)
	rapid.Check(t, func(t *rapid.T) {
		b := control.Breakpoint{On: rapid.SampledFrom([]control.Cause{
			control.OnOp, control.OnLine, control.OnTensor, control.OnInPlace, control.OnFree, control.OnNotFinite, control.OnWarning, control.OnError,
		}).Draw(t, "on"), Skip: rapid.IntRange(0, 5).Draw(t, "skip")}
		switch b.On {
		case control.OnLine:
			b.File, b.Line = name.Draw(t, "file"), rapid.IntRange(1, 1000).Draw(t, "line")
		case control.OnOp, control.OnTensor:
			b.Pattern = name.Draw(t, "pattern")
		case control.OnInPlace, control.OnFree:
			b.Pattern = rapid.OneOf(rapid.Just(""), name).Draw(t, "pattern")
		}
		got, err := control.ParseBreakpoint(b.String())
		if err != nil || got != b {
			t.Fatalf("%+v is %q, which is %+v, %v", b, b.String(), got, err)
		}
	})
}

// What is said before the program is there is done when it is.
func TestBreakpointsCanBeSetBeforeTheProgramStarts(t *testing.T) {
	s := control.NewSession(control.Command{})
	if err := s.Break(control.Breakpoint{ID: 1, On: control.OnError}); err != nil {
		t.Fatal(err)
	}
	if err := s.Break(control.Breakpoint{ID: 2, On: control.OnOp, Pattern: "add"}); err != nil {
		t.Fatal(err)
	}
	d := startIn(t, s, chain)
	if stop, _ := d.stop(); stop.Breakpoint != 2 {
		t.Errorf("%+v", stop)
	}
	d.s.Resume(control.Continue)
	d.over()
}
