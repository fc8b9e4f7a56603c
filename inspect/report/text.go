package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// columns is how wide text may be.
const columns = 80

// severityStyles are the colours of findings.
var severityStyles = map[inspect.Severity]console.Style{
	inspect.SeverityError: console.Red, inspect.SeverityWarning: console.Yellow, inspect.SeverityHint: console.Cyan,
}

// A textWriter writes text for people.
type textWriter struct {
	*bufio.Writer
	*Report
	console.Paint
	evidence bool
}

func writeText(w io.Writer, reports []*Report, o Options) error {
	lines := &console.NoCommands{W: w}
	t := &textWriter{bufio.NewWriter(lines), nil, console.Paint(o.Color), o.Evidence}
	failed := 0
	for _, t.Report = range reports {
		if len(reports) > 1 {
			path, _ := console.NewLine(t.title()).Cut(0, 0, columns-3)
			fmt.Fprintln(t, t.In(console.Bold, "── "+path))
		}
		for i := range t.Findings {
			t.finding(&t.Findings[i])
		}
		if t.Audit != nil {
			t.audit()
		}
		t.end()
		if len(reports) > 1 {
			fmt.Fprintln(t)
		}
		if t.ExitCode != 0 {
			failed++
		}
	}
	if len(reports) > 1 {
		fmt.Fprintf(t, "%d checked, %d failed\n", len(reports), failed)
	}
	return cmp.Or(t.Flush(), lines.Flush())
}

// finding writes one finding: what is wrong, where, and what to do.
func (t *textWriter) finding(f *inspect.Finding) {
	style := severityStyles[f.Severity]
	head := fmt.Sprintf("%s[%s]:", f.Severity, console.OneLine(f.Code))
	message := t.message(*f)
	if f.Count > 1 {
		message += fmt.Sprintf(" (%d times)", f.Count)
	}
	for i, line := range console.Wrap(head+" "+console.OneLine(message), columns) {
		if i > 0 {
			fmt.Fprintf(t, "    %s\n", t.In(console.Bold, line))
			continue
		}
		rest := strings.TrimPrefix(line, head)
		fmt.Fprintf(t, "%s%s\n", t.In(style, head), t.In(console.Bold, rest))
	}
	t.excerpts(f, style)
	if f.Help != "" {
		t.paragraph("help:", console.Cyan, f.Help)
	}
	if t.evidence {
		t.weighed(f)
	}
	fmt.Fprintln(t)
}

// weighed writes what speaks for a finding and against it, and what else was considered.
func (t *textWriter) weighed(f *inspect.Finding) {
	for _, e := range f.Evidence {
		word, text := "because:", e.Label
		if e.Against {
			word = "although:"
		}
		if e.Known() {
			text += fmt.Sprintf(" (%s:%d)", t.file(e.File), e.Line)
		}
		t.paragraph(word, console.Cyan, text)
	}
	for _, a := range f.Instead {
		t.paragraph("not "+console.OneLine(a.Code)+":", console.Cyan, a.Fact)
	}
}

// WriteShort names the first findings: what is wrong, and the line to change.
func WriteShort(w io.Writer, r *Report, most int) {
	for i, f := range r.Findings {
		if i == most {
			fmt.Fprintf(w, "and %s\n", count(len(r.Findings)-i, "more finding"))
			break
		}
		text := fmt.Sprintf("%s[%s]: ", f.Severity, f.Code)
		if f.Primary.Known() {
			text += r.place(f.Primary) + ": "
		}
		for i, line := range console.Wrap(console.OneLine(text+r.message(f)), columns-4) {
			if i > 0 {
				line = "    " + line
			}
			fmt.Fprintln(w, line)
		}
	}
}

// paragraph writes wrapped text after a word, whose further lines are indented.
func (t *textWriter) paragraph(word string, style console.Style, text string) {
	indent := strings.Repeat(" ", len(word)+1)
	for i, line := range console.Wrap(console.OneLine(text), columns-len(indent)) {
		if i == 0 {
			fmt.Fprintf(t, "%s %s\n", t.In(style, word), line)
			continue
		}
		fmt.Fprintf(t, "%s%s\n", indent, line)
	}
}

// end writes how the program ended and the verdict.
func (t *textWriter) end() {
	for _, note := range append(t.unseen(), t.notes()...) {
		t.paragraph("note:", console.Blue, note)
	}
	for line := range strings.Lines(t.Program.Stderr) {
		text, _ := console.NewLine(strings.TrimRight(line, "\r\n")).Cut(0, 0, columns-4)
		fmt.Fprintf(t, "  %s %s\n", t.In(console.Blue, "|"), text)
	}
	style := console.Plain
	if t.Failing() > 0 {
		style = console.Bold
	}
	for _, line := range console.Wrap(t.Verdict(), columns) {
		fmt.Fprintln(t, t.In(style, line))
	}
}

// unseen names the source files of findings whose text is not known.
func (r *Report) unseen() []string {
	var files []string
	for i := range r.Findings {
		for _, s := range append([]inspect.Span{r.Findings[i].Primary}, r.Findings[i].Related...) {
			if s.File != "" && r.Source(s.File) == nil && !slices.Contains(files, r.file(s.File)) {
				files = append(files, r.file(s.File))
			}
		}
	}
	if len(files) == 0 {
		return nil
	}
	return []string{"the source of " + strings.Join(files, ", ") + " is not on the tape"}
}

// notes say how the program failed and what was not checked.
func (r *Report) notes() (notes []string) {
	if ended := r.Ended(); ended != "" {
		notes = append(notes, ended)
	}
	if r.Incomplete != "" {
		notes = append(notes, r.Unchecked())
	}
	if r.Script != "" {
		notes = append(notes, "check script: "+r.Script)
	}
	return notes
}
