package ui

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
)

// told is what was printed already.
type told struct {
	begun    bool
	at       graph.Pos
	chosen   selection
	lines    int    // of the program's output
	open     string // the last line, which had no end yet
	findings map[string]bool
}

// maxTold is how many lines of output, or rows of a pane, are printed at once.
const maxTold = 40

// printf prints a line, which may hold text of the program.
func (l *linear) printf(format string, args ...any) {
	line := strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(fmt.Sprintf(format, args...))
	l.out.WriteString(console.NoCommand(strings.TrimRight(console.Printable(line), " ")) + "\n")
}

// hello says what is looked at.
func (l *linear) hello() {
	what := "the program"
	if l.m.Program == nil {
		what = "the tape"
	}
	l.printf("gradtui shows %s %s. help lists the commands.", what, l.m.Title)
}

// tell prints what is other than before.
func (l *linear) tell() {
	m := l.m
	if !l.told.begun && m.Program == nil { // the output of a whole run
		l.told.lines = m.printed.until(m.at()) + m.printed.dropped
		if n := l.told.lines; n > 0 {
			l.printf("The program has printed %s so far; p output shows them.", plural(n, "line"))
		}
	}
	l.tellOutput(true)
	if !l.told.begun || m.at() != l.told.at {
		l.tellPosition()
	}
	if m.chosen != l.told.chosen {
		if text := l.about(m.chosen); text != "" {
			l.printf("Selected: %s.", text)
		}
	}
	l.told.begun, l.told.at, l.told.chosen = true, m.at(), m.chosen
	l.tellFindings()
	l.tellOverlay()
	if m.notice.text != "" {
		l.printf("%s.", strings.TrimSuffix(m.notice.text, "."))
		m.notice = notice{}
	}
}

// tellPosition says where the cursor is, and what happened last.
func (l *linear) tellPosition() {
	m := l.m
	line := m.line(m.at() - 1)
	if line.Line <= 0 {
		line = m.place // an event that belongs to the step has no line
	}
	l.printf("Event %d of %d%s.", m.at(), m.tape.Len(), lineText(m, line))
	if id := m.aboutToRun(); id != 0 {
		l.printf("Next: %s is about to run.", m.nameOf(selection{node: id}))
		return
	}
	for p := m.at() - 1; p >= 0 && p >= m.at()-lookBack; p-- {
		_, e := m.event(p)
		s, ok := subject(m.graph(), e)
		if !ok {
			continue
		}
		what := m.nameOf(s)
		if s.tensor != 0 {
			what = fmt.Sprintf("%s: %s.", what, m.trace.Tell(m.graph(), s.tensor, p).Text)
		} else {
			what += ": " + graph.Kinds[e.Kind()].Doc
		}
		l.printf("Last: %s", what)
		return
	}
}

// lineText is a line of the program and its place, to go behind something.
func lineText(m *Model, f graph.Frame) string {
	if f.Line <= 0 {
		return ""
	}
	text := fmt.Sprintf(", %s line %d", filepath.Base(f.File), f.Line)
	if f.Func != "" {
		text += " in " + f.Func
	}
	if lines := m.sources.file(f.File).lines; f.Line <= len(lines) {
		text += ": " + strings.TrimSpace(lines[f.Line-1])
	}
	return text
}

// about says in a few words what a node or a tensor is.
func (l *linear) about(s selection) string {
	m := l.m
	if t, ok := m.graph().Tensor(s.tensor); ok {
		text := fmt.Sprintf("tensor %s, %s %s%s", tensorName(t), t.DType, inspect.ShapeText(t.Shape), graph.DeviceText(t.Device))
		switch n, made := m.graph().Node(t.Node); {
		case made:
			text += fmt.Sprintf(", grad_fn %s n%d", n.Name, n.ID)
		case t.RequiresGrad:
			text += ", a leaf that requires grad"
		}
		return text + fmt.Sprintf(", version %d, value %s", m.graph().Version(t.ID), valueText(t.Value))
	}
	n, ok := m.graph().Node(s.node)
	if !ok {
		return ""
	}
	return fmt.Sprintf("node %s n%d, %s", n.Name, n.ID, m.graphOf().inWords(m, n, 0))
}

// tellOutput prints what the program has printed and was not told yet: lines that have
// an end, or all.
func (l *linear) tellOutput(all bool) {
	o := l.m.printed
	until := o.until(l.m.at()) + o.dropped
	if !l.told.begun && l.m.Program == nil {
		return
	}
	if missed := until - maxTold; l.told.lines < missed {
		l.printf("The program printed %s more; p output shows the newest.", plural(missed-l.told.lines, "line"))
		l.told.lines, l.told.open = missed, ""
	}
	for ; l.told.lines < until; l.told.lines++ {
		line := o.lines[l.told.lines-o.dropped]
		if line.open {
			if all && line.text != l.told.open {
				l.printf("%s", outputText(line))
				l.told.open = line.text
			}
			return
		}
		if line.text != l.told.open || line.text == "" {
			l.printf("%s", outputText(line))
		}
		l.told.open = ""
	}
}

func outputText(line printedLine) string {
	if line.stream == 2 {
		return "Error output: " + line.text
	}
	return "Output: " + line.text
}

// tellFindings tells of findings that are new.
func (l *linear) tellFindings() {
	if l.m.report == nil {
		return
	}
	for i := range l.m.report.Findings {
		f := &l.m.report.Findings[i]
		key := findingKey(f)
		if l.told.findings[key] {
			continue
		}
		if l.told.findings == nil {
			l.told.findings = map[string]bool{}
		}
		l.told.findings[key] = true
		for _, text := range findingText(f) {
			l.printf("%s", text)
		}
	}
}

// findingText says what a finding says, line by line.
func findingText(f *inspect.Finding) []string {
	lines := []string{fmt.Sprintf("Finding, %s %s: %s.", f.Severity, f.Code, f.Message)}
	for k := range 1 + len(f.Related) {
		if s := span(f, k); s.Known() {
			lines = append(lines, fmt.Sprintf("At %s line %d: %s.", filepath.Base(s.File), s.Line, s.Label))
		}
	}
	if f.Count > 1 {
		lines = append(lines, fmt.Sprintf("It was found %d times.", f.Count))
	}
	if f.Help != "" {
		lines = append(lines, "Help: "+f.Help)
	}
	return lines
}

// tellOverlay prints a text, or what a prompt asks for. What else can lie over the
// panes is about the screen.
func (l *linear) tellOverlay() {
	switch o := l.m.overlay.(type) {
	case nil:
		return
	case *prompt:
		l.printf("%s(an empty line stands for %s)", o.title, o.String())
		return
	case *text:
		l.printf("%s:", o.title)
		for _, line := range sentences(o.lines) {
			l.printf("%s", line)
		}
	}
	l.m.close()
}

// sentences are the lines of a text as they were before they were wrapped: what goes on
// in the next line begins with blanks there.
func sentences(lines []styled) (joined []string) {
	for _, line := range lines {
		text := line.words()
		switch last := len(joined) - 1; {
		case text == "":
		case last >= 0 && len(line) > 1 && strings.TrimSpace(line[0].text) == "":
			joined[last] += " " + text
		default:
			joined = append(joined, text)
		}
	}
	return joined
}

// words is a styled text without its marks.
func (s styled) words() string {
	var b strings.Builder
	for _, p := range s {
		b.WriteString(p.text)
	}
	return inWords(b.String())
}

// spoken are marks that mean something in a text.
var spoken = strings.NewReplacer("→", " to ", "←", " of ", "×", " times ", "·", ", ", "✗ failed", "failed", "✗", "modified:", "…", "...")

// inWords is text without the characters that only draw.
func inWords(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 0x2190 && r <= 0x2bff && unicode.IsSymbol(r) {
			return ' '
		}
		return r
	}, spoken.Replace(s))
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), " ,", ",")
}
