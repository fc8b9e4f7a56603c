package main

import (
	"fmt"
	"io"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/policy"
	"github.com/gradtui/gradtui/inspect/report"
	"github.com/gradtui/gradtui/inspect/rules"
)

// maxShort is how many findings a summary names.
const maxShort = 5

// mostChecked is how many events a summary looks through for findings: longer tapes
// take longer than people wait for a summary.
const mostChecked = 500_000

// summarize prints what a tape amounts to at its end, and what is wrong with the
// program in a line each. target is what check can be asked about; "" if nothing is.
func summarize(w io.Writer, tape *graph.Tape, target string) {
	if tape.Len() > mostChecked {
		fmt.Fprintln(w, printable(inspect.Summarize(tape.CursorAt(tape.Len()).Graph()).String()))
		if target != "" {
			fmt.Fprintf(w, "gradtui check %s says whether something is wrong\n", oneLine(target))
		}
		return
	}
	c := checked{Report: inspect.Check(tape, rules.All(), inspect.Options{}), end: &finished{}}
	fmt.Fprintln(w, printable(inspect.Summarize(c.History.Graph()).String()))
	r := c.report(policy.Default(), rules.All())
	report.WriteShort(w, r, maxShort)
	if len(r.Findings) > 0 && target != "" {
		fmt.Fprintf(w, "gradtui check %s tells more\n", oneLine(target))
	}
}
