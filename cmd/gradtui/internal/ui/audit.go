package ui

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/graph"
)

// A measurement is an overlay that waits for an audit, and then shows what it says. It runs until the overlay is closed.
type measurement struct {
	text
	cancel context.CancelFunc
	closed bool // before it said anything
}

// measuredMsg brings what an audit says.
type measuredMsg struct {
	of   *measurement
	said string
	err  error
}

// measure runs gradtui audit with flags on what is on the tape now.
func (m *Model) measure(title string, flags ...string) tea.Cmd {
	if m.Audit == nil {
		return m.sayError(errors.New("an audit is not available here"))
	}
	ctx, cancel := context.WithCancel(context.Background())
	of := &measurement{text: text{title: title, lines: []styled{{{muted, "measuring…"}}}}, cancel: cancel}
	m.overlay = of
	run, tape := m.Audit, m.tape
	return func() tea.Msg {
		defer cancel()
		said, err := run(ctx, tape, flags)
		return measuredMsg{of, said, err}
	}
}

// measured shows what an audit says, unless its overlay was closed.
func (m *Model) measured(msg measuredMsg) tea.Cmd {
	of := msg.of
	if of.closed {
		return nil
	}
	m.overlay = of
	of.lines = m.saidLines(msg.said, msg.err, auditStyle)
	return nil
}

// auditStyle is how a line of an audit looks.
func auditStyle(line string) cells.Style {
	switch word, _, _ := strings.Cut(line, ":"); {
	case strings.HasPrefix(word, "exact"), word == "right":
		return done
	case strings.HasPrefix(word, "warning["), strings.HasPrefix(word, "error["), word == "wrong", word == "not judged":
		return failed
	}
	return plain
}

func (t *measurement) press(m *Model, key tea.KeyPressMsg) tea.Cmd {
	c := t.text.press(m, key)
	if m.overlay != t {
		t.closed = true
		t.cancel()
	}
	return c
}

// commandAudit audits a training step: audit [STEP] [directions N].
func (m *Model) commandAudit(args string) tea.Cmd {
	step, directions := "1", ""
	fields := strings.Fields(args)
	if len(fields) > 0 && fields[0] != "directions" {
		step, fields = fields[0], fields[1:]
	}
	if len(fields) == 2 && fields[0] == "directions" {
		directions, fields = fields[1], nil
	}
	flags := []string{"--step", step}
	if directions != "" {
		flags = append(flags, "--directions", directions)
	}
	for _, n := range []string{step, directions} {
		if x, err := strconv.Atoi(n); len(fields) > 0 || n != "" && (err != nil || x < 1) {
			return m.sayError(errors.New("audit wants the number of a step, from 1, and how many directions: audit 2 directions 8"))
		}
	}
	return m.measure("Audit of step "+step, flags...)
}

// commandGradcheck checks the chosen node, or another one, against its operation.
func (m *Model) commandGradcheck(args string) tea.Cmd {
	id := m.chosen.node
	if t, ok := m.graph().Tensor(m.chosen.tensor); ok && id == 0 {
		id = t.Node
	}
	if args != "" {
		n, ok := number(args, "n")
		if !ok {
			return m.sayError(fmt.Errorf("gradcheck wants the number of a node, for example n17, not %q", args))
		}
		id = graph.NodeID(n)
	}
	if id == 0 {
		return m.sayError(errors.New("no node is selected; gradcheck checks what a node sends on in backward: gradcheck NUMBER"))
	}
	return m.measure(fmt.Sprintf("Check of n%d", id), "--node", strconv.FormatUint(uint64(id), 10))
}
