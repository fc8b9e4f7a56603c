package rules

import (
	"io"
	"testing"

	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// Correct examples in Go have no findings. A Go program does not say when it releases a tensor, so
// no rule may conclude anything from that.
func TestCorrectGoProgramsHaveNoFindings(t *testing.T) {
	for _, e := range examples.All {
		if e.Fails {
			continue
		}
		tape := graph.NewTape(graph.Limits{})
		if err := capture.Local(tape, nil, examples.Source, func() error { return e.Run(io.Discard) }); err != nil {
			t.Fatal(err)
		}
		for _, f := range inspect.Check(tape, All(), inspect.Options{}).Findings {
			if f.Severity > inspect.SeverityHint {
				t.Errorf("%s: %s at %s: %s", e.Name, f.Code, f.Primary.Frame, f.Message)
			}
		}
	}
}
