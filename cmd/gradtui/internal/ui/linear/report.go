package linear

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/console"
)

// printed is what was printed already.
type printed struct {
	run      int // of the program
	begun    bool
	at       graph.Pos
	shown    *ui.Model
	selected any
	moment   any
	lines    int    // of the program's output
	open     string // the last line, if it had no end yet
	findings map[string]bool
}

// maxOutput is how many lines of output are printed at once.
const maxOutput = 40

// printf prints a line, which may hold text of the program.
func (l *linear) printf(format string, args ...any) {
	line := strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(fmt.Sprintf(format, args...))
	l.out.WriteString(console.NoCommand(strings.TrimRight(console.Printable(line), " ")) + "\n")
}

// hello prints what the debugger shows.
func (l *linear) hello() {
	what := "the program"
	if l.m.Program == nil {
		what = "the tape"
	}
	l.printf("gradtui shows %s %s. help lists the commands.", what, l.m.Title)
}

// report prints what has changed.
func (l *linear) report() {
	m, p := l.m, &l.printed
	if run := m.RunNumber(); run != p.run {
		*p = printed{run: run, findings: p.findings} // what was found before is not news
	}
	if p.shown != m && p.begun { // the place and the output of another run
		p.at, p.lines, p.open = -1, m.Printed(), ""
	}
	p.shown = m
	if !p.begun && m.Program == nil { // skip the output of a whole run
		p.lines = m.Printed()
		if p.lines > 0 {
			l.printf("The program has printed %s so far; p output shows them.", lines(p.lines))
		}
	}
	l.reportOutput(true)
	if !p.begun || m.At() != p.at {
		for _, text := range m.PositionWords() {
			l.printf("%s", text)
		}
	}
	selected, words := m.Selected()
	if selected != p.selected && words != "" {
		l.printf("Selected: %s.", words)
	}
	p.begun, p.at, p.selected = true, m.At(), selected
	if moment := m.Moment(); moment != p.moment {
		if p.moment = moment; moment != nil {
			for _, text := range m.MomentWords() {
				l.printf("%s", text)
			}
		}
	}
	l.reportFindings()
	l.reportOverlay()
	if text := m.TakeMessage(); text != "" {
		l.printf("%s.", strings.TrimSuffix(text, "."))
	}
}

// reportOutput prints the program's new output: complete lines, or all of it.
func (l *linear) reportOutput(all bool) {
	p := &l.printed
	if !p.begun && l.m.Program == nil || l.m.Restarting() {
		return
	}
	until := l.m.Printed()
	if missed := until - maxOutput; p.lines < missed {
		l.printf("The program printed %s more; p output shows the newest.", lines(missed-p.lines))
		p.lines, p.open = missed, ""
	}
	for ; p.lines < until; p.lines++ {
		line := l.m.OutputLine(p.lines)
		if line.Open {
			if all && line.Text != p.open {
				l.printf("%s", line.Words)
				p.open = line.Text
			}
			return
		}
		if line.Text != p.open || line.Text == "" {
			l.printf("%s", line.Words)
		}
		p.open = ""
	}
}

// lines counts lines.
func lines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

// reportFindings prints new findings.
func (l *linear) reportFindings() {
	for _, f := range l.m.Findings() {
		key := ui.FindingKey(&f)
		if l.printed.findings[key] {
			continue
		}
		if l.printed.findings == nil {
			l.printed.findings = map[string]bool{}
		}
		l.printed.findings[key] = true
		for _, text := range ui.FindingWords(&f) {
			l.printf("%s", text)
		}
	}
}

// reportOverlay prints a text, or what a prompt asks for. It closes other overlays, which
// only make sense on a screen.
func (l *linear) reportOverlay() {
	if title, proposal, ok := l.m.Asked(); ok {
		l.printf("%s(an empty line stands for %s)", title, proposal)
		return
	}
	if title, lines, ok := l.m.TextShown(); ok {
		l.printf("%s:", title)
		for _, line := range lines {
			l.printf("%s", line)
		}
	}
	l.m.CloseOverlay()
}
