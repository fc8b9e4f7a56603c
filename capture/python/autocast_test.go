//go:build unix

package python

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
)

func TestAutocastOfTheBuiltinEngineIsOnTheTape(t *testing.T) {
	run, out := ran(t, &Program{}, `
import torch
x = torch.ones(2, 2)
with torch.autocast("cpu"):
    with torch.autocast("cpu", dtype=torch.float16):
        x + x
    with torch.autocast("cpu", enabled=False):
        x + x
    x + x
try:
    with torch.autocast("cpu"):
        raise ValueError
except ValueError:
    x + x
`)
	if out != "" {
		t.Error(out)
	}
	var got []string
	for p := range run.Tape.Len() {
		switch _, e, _ := run.Tape.At(p); e := e.(type) {
		case *graph.ModeChanged:
			if e.Mode == graph.AutocastMode {
				got = append(got, map[bool]string{true: "on", false: "off"}[e.To])
			}
		case *graph.OpRan:
			if run.Tape.String(e.Op) == "add" {
				got = append(got, "add")
			}
		}
	}
	want := []string{"on", "add", "off", "add", "on", "add", "off", "on", "off", "add"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
