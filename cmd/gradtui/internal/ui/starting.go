package ui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
)

// starting is how long a program has been starting, and the keys that wait for it.
type starting struct {
	since  time.Time
	frame  int  // of the spinner
	queued []Do // keys that were pressed meanwhile
}

// mostBefore bounds the events before the first one of the program itself: what it printed.
const mostBefore = 256

// starts reports whether the program has begun and nothing of it has been recorded: its interpreter starts
// and imports its modules. A rank and an attached program do not stop at their first event.
func (m *Model) starts() bool {
	return m.runs() && !m.program.started && m.among.relation != distributed && m.blank()
}

// blank reports whether nothing of the program has been recorded but what it printed and its files.
func (s *state) blank() bool {
	for p := range min(s.tape.Len(), mostBefore) {
		if k, err := s.dec.Kind(p); err == nil && !k.Beside() {
			return false
		}
	}
	return s.tape.Len() < mostBefore
}

// mostQueued bounds the keys that wait for the program.
const mostQueued = 64

// later keeps a key until the program has started.
func (m *Model) later(b *binding) tea.Cmd {
	queued := &m.program.starting.queued
	if len(*queued) < mostQueued {
		*queued = append(*queued, b.do)
	}
	return m.say(muted, fmt.Sprintf("the program is starting; %s will be carried out when it has", plural(len(*queued), "key")))
}

// runQueued carries out the keys that have waited, until the program runs again.
func (m *Model) runQueued() tea.Cmd {
	queued := m.program.starting.queued
	if len(queued) == 0 || m.program.running {
		return nil
	}
	m.program.starting.queued = queued[1:]
	m.notice = notice{}
	return tea.Batch(queued[0](m), m.runQueued())
}

// spinner are the pictures of something that goes on.
var spinner = [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// spin is the time between two pictures of the spinner.
const spin = 120 * time.Millisecond

type spinMsg struct{}

// spins turns the spinner while the program starts.
func (m *Model) spins() tea.Cmd {
	m.program.starting.frame++
	if !m.starts() {
		return nil
	}
	return background(tea.Tick(spin, func(time.Time) tea.Msg { return spinMsg{} }))
}

// startWords says what a program that starts does, and for how long.
func (m *Model) startWords() string {
	engine := m.tape.Info().Engine
	words := "starting the program"
	if name, version, ok := strings.Cut(engine, " "); ok && name == "torch" {
		words = "starting Python, importing torch " + version
	}
	if since := m.program.starting.since; !since.IsZero() {
		words += fmt.Sprintf(" · %d s", int(time.Since(since).Seconds()))
	}
	return words
}

// startPage are the lines that the graph shows before there is one: what runs, and the keys to begin with.
func (s *state) startPage() (lines []styled) {
	info := s.tape.Info()
	lines = append(lines, styled{{strong, s.Title}, {muted, "  " + engineWords(info.Engine)}}, nil)
	key := func(name, says string) {
		lines = append(lines, styled{{keycap, fmt.Sprintf("  %-3s", name)}, {plain, says}})
	}
	key("c", "run to the first breakpoint, error or end")
	key("s", "one operation further")
	key("u", "one line further")
	key("n", "to the next node of a backward pass")
	key("b", "set a breakpoint on the line in Source (2)")
	key("?", "all keys")
	return lines
}

// atStart reports whether the program has not gone on from its first stop.
func (s *state) atStart() bool { return s.live() && !s.program.resumed }

// engineWords names an engine.
func engineWords(engine string) string {
	if version, ok := strings.CutPrefix(engine, "torch "); ok {
		return "PyTorch " + version
	}
	if engine == "builtin" || engine == "" {
		return "the built-in engine"
	}
	return engine
}

// drawStartPage draws as many lines of the start page as there is room for.
func (s *state) drawStartPage(r cells.Region) {
	for y, line := range s.startPage() {
		if line.width() > 0 {
			line.write(r, 1, y)
		}
	}
}
