package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// annotations are the workflow commands that report findings.
var annotations = map[inspect.Severity]string{
	inspect.SeverityError: "error", inspect.SeverityWarning: "warning", inspect.SeverityHint: "notice",
}

// Escapes of workflow commands, as the runner of GitHub Actions undoes them.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// writeGitHub writes a workflow command for each finding, and the verdicts.
func writeGitHub(w io.Writer, reports []*Report, _ Options) error {
	b := bufio.NewWriter(w)
	for _, r := range reports {
		for _, f := range r.Findings {
			fmt.Fprintf(b, "::%s %s::%s\n", annotations[f.Severity], r.properties(f), commandData.Replace(console.Printable(r.whole(f))))
		}
		for _, note := range r.notes() {
			fmt.Fprintln(b, "note:", console.OneLine(note))
		}
		verdict := r.Verdict()
		if len(reports) > 1 {
			verdict = r.title() + ": " + verdict
		}
		fmt.Fprintln(b, verdict)
	}
	return b.Flush()
}

// properties say where an annotation goes and what its title is.
func (r *Report) properties(f inspect.Finding) string {
	var list []string
	add := func(name, value string) {
		list = append(list, name+"="+commandProperty.Replace(console.OneLine(value)))
	}
	if l := r.locate(f.Primary); l.Line > 0 {
		add("file", l.File)
		add("line", fmt.Sprint(l.Line))
		if l.EndLine > 0 {
			add("endLine", fmt.Sprint(l.EndLine))
		}
		if l.Col > 0 && l.EndLine <= l.Line { // columns are for annotations of one line
			add("col", fmt.Sprint(l.Col))
			if l.EndCol > l.Col {
				add("endColumn", fmt.Sprint(l.EndCol-1))
			}
		}
	}
	add("title", f.Code)
	return strings.Join(list, ",")
}

// whole is a finding in several lines of plain text.
func (r *Report) whole(f inspect.Finding) string {
	var b strings.Builder
	b.WriteString(console.OneLine(r.message(f)))
	for _, s := range append([]inspect.Span{f.Primary}, f.Related...) {
		if s.Label != "" && s.Known() {
			fmt.Fprintf(&b, "\n%s: %s", r.place(s), console.OneLine(s.Label))
		}
	}
	if f.Help != "" {
		fmt.Fprintf(&b, "\nhelp: %s", console.OneLine(f.Help))
	}
	return b.String()
}
