package ui_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/linear"
	"github.com/gradtui/gradtui/inspect/rules"
)

func init() {
	ui.RunLines = func(t testing.TB, o ui.Options, lines []string, out io.Writer) {
		t.Helper()
		d := linear.Debugger{Runs: ui.New(o).Runs(), In: strings.NewReader(strings.Join(lines, "\n")), Out: out}
		if err := d.Run(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// The selection after each key on the screen is the one that lines report after the same
// keys.
func TestLinesAndTheScreenAreOneDebugger(t *testing.T) {
	tape := ui.Recorded(t, "nbody")
	keys := []string{"<", "s", "s", "n", "n", "N", "S", "U", "B", "down", "down", "up", "u", "m", ">"}
	var printed strings.Builder
	ui.RunLines(t, ui.Options{Tape: tape, Rules: rules.All()}, keys, &printed)
	var got []string
	for line := range strings.Lines(printed.String()) {
		if words, ok := strings.CutPrefix(line, "Selected: "); ok {
			got = append(got, strings.TrimSuffix(words, ".\n"))
		}
	}
	if diff := cmp.Diff(ui.SelectedAfter(t, tape, keys...), got); diff != "" || len(got) < 8 {
		t.Error(diff)
	}
}
