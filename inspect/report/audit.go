package report

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/gradtui/gradtui/audit"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/documents"
)

// audit writes what an audit measured: the verdict, the parts of the derivative, what was not followed.
func (t *textWriter) audit() {
	a := t.Audit
	leaves := "1 leaf"
	if a.Leaves != 1 {
		leaves = fmt.Sprintf("%d leaves", a.Leaves)
	}
	fmt.Fprintf(t, "step %d: %s, %s\n", a.Step.Number, leaves, count(len(a.Derivative), "direction"))
	for _, line := range console.Wrap(a.Says(), columns) {
		fmt.Fprintln(t, t.In(console.Bold, line))
	}
	for i := range a.Changes {
		t.change(&a.Changes[i])
	}
	if len(a.Cuts) > 0 {
		fmt.Fprintln(t)
		table := tabwriter.NewWriter(t, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(table, "%s\t  \tdelivered by backward\n", audit.Percent(a.Part(a.Visible)))
		for _, c := range a.CutsBySize() {
			fmt.Fprintf(table, "%s\t  \t%s: %s\n", audit.Percent(a.Part(c.Share)), t.codeLine(c.Frame), console.OneLine(c.Why)+purpose(c.OnPurpose())+"  "+t.sourceLine(c.Frame))
		}
		table.Flush()
	}
	for i, g := range a.Gaps {
		if i == 0 {
			fmt.Fprintln(t, "\nnot followed, and taken for constants:")
		}
		fmt.Fprintf(t, "  %s: %s: %s\n", t.codeLine(g.Frame), console.OneLine(g.What), console.OneLine(g.Why))
	}
	fmt.Fprintln(t)
}

func (t *textWriter) change(c *audit.Change) {
	fmt.Fprintf(t, "\n%s%s, at %s  %s\n", console.OneLine(c.Name), purpose(c.OnPurpose()), t.codeLine(c.Frame), t.sourceLine(c.Frame))
	fmt.Fprintf(t, "  the derivative along the direction is %.6g; it delivers %.6g\n", c.Expected, c.Delivered)
	if c.Backward.File != "" {
		fmt.Fprintf(t, "  its backward ran at %s  %s\n", t.codeLine(c.Backward), t.sourceLine(c.Backward))
	}
}

func purpose(is bool) string {
	if is {
		return " (on purpose)"
	}
	return ""
}

func (r *Report) codeLine(f graph.Frame) string {
	return console.OneLine(fmt.Sprintf("%s:%d", r.file(f.File), f.Line))
}

func (r *Report) sourceLine(f graph.Frame) string {
	text, _ := r.line(f.File, f.Line)
	return console.OneLine(strings.TrimSpace(text))
}

func (r *Report) jsonAudit() *documents.Audit {
	a := r.Audit
	j := &documents.Audit{
		Step: a.Step.Number, Verdict: a.Verdict().String(), Says: a.Says(), Leaves: a.Leaves, Error: documents.Finite(a.Error()),
		Derivative: documents.FiniteList(a.Derivative), Delivered: documents.FiniteList(a.Delivered), Visible: documents.Finite(a.Part(a.Visible)),
		Cuts: []documents.AuditCut{}, Changes: []documents.AuditChange{}, Gaps: []documents.AuditGap{},
	}
	at := func(f graph.Frame) documents.Span { return r.locate(inspect.Span{Frame: f}) }
	for _, c := range a.CutsBySize() {
		j.Cuts = append(j.Cuts, documents.AuditCut{Part: documents.Finite(a.Part(c.Share)), Why: c.Why, Purpose: c.OnPurpose(), Place: at(c.Frame)})
	}
	for _, c := range a.Changes {
		change := documents.AuditChange{Name: c.Name, Expected: documents.Finite(c.Expected), Delivered: documents.Finite(c.Delivered), Purpose: c.OnPurpose(), Place: at(c.Frame)}
		if c.Backward.File != "" {
			place := at(c.Backward)
			change.Backward = &place
		}
		j.Changes = append(j.Changes, change)
	}
	for _, g := range a.Gaps {
		j.Gaps = append(j.Gaps, documents.AuditGap{Operation: g.What, Why: g.Why, Place: at(g.Frame)})
	}
	return j
}
