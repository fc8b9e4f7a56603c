package checks

import (
	"fmt"
	"io"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/cli"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/target"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/inspect/policy"
	"github.com/gradtui/gradtui/inspect/report"
	"github.com/gradtui/gradtui/inspect/rules"
)

// maxShort is how many findings a summary names.
const maxShort = 5

// mostChecked is how many events a summary checks for findings: a longer tape takes longer
// than users wait for a summary.
const mostChecked = 500_000

// Summarize prints counts of what is on a tape at its end, and a line for each finding.
// target is the name with which the user can call check; "" if there is none.
func Summarize(w io.Writer, tape *graph.Tape, name string) {
	if tape.Len() > mostChecked {
		fmt.Fprintln(w, cli.Printable(lookup.Summarize(tape.CursorAt(tape.Len()).Graph()).String()))
		if name != "" {
			fmt.Fprintf(w, "to look for problems: gradtui check %s\n", cli.OneLine(name))
		}
		return
	}
	c := Checked{Result: inspect.Check(tape, rules.All(), inspect.Options{}), End: &target.Finished{}}
	fmt.Fprintln(w, cli.Printable(lookup.Summarize(c.History.Graph()).String()))
	r := c.MakeReport(policy.Default(), rules.All())
	report.WriteShort(w, r, maxShort)
	if len(r.Findings) > 0 && name != "" {
		fmt.Fprintf(w, "for details: gradtui check %s\n", cli.OneLine(name))
	}
}
