package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/graph"
)

// A spot is where the user was: the cursor, the selection, the line.
type spot struct {
	at graph.Pos
	target
}

// jumps are the spots that the user left with a jump, and those that a jump back has left.
type jumps struct {
	back, forward []spot
	walking       bool // the move that is under way goes along the list
}

// mostJumps bounds the spots that are kept.
const mostJumps = 100

// little are the keys that move so little that the way back needs no list.
var little = []string{"n", "N", "s", "S", "u", "U", "left", "right", "h", "l", "up", "down", "j", "k", "pgup", "pgdown", "ctrl+f", "ctrl+b", "home", "end", "g", "G"}

func (m *Model) spot() spot { return spot{m.goal, target{m.chosen, m.place}} }

// jumping carries out what may be a jump, and remembers the spot that it leaves.
func (m *Model) jumping(do func() tea.Cmd) tea.Cmd {
	from := m.spot()
	cmd := do()
	walking := m.jumps.walking
	m.jumps.walking = false
	if to := m.spot(); walking || to.at == from.at && to.selection == from.selection {
		return cmd
	}
	m.jumps.back = append(m.jumps.back, from)
	m.jumps.back = m.jumps.back[max(len(m.jumps.back)-mostJumps, 0):]
	m.jumps.forward = nil
	return cmd
}

// jump goes back, or forward again, along the jumps.
func (m *Model) jump(from, to *[]spot) tea.Cmd {
	last := len(*from) - 1
	next := (*from)[last]
	*from, *to = (*from)[:last], append(*to, m.spot())
	m.jumps.walking, m.following, m.target = true, false, next.target
	move := m.goTo(next.at, pick)
	m.say(muted, fmt.Sprintf("jump %d of %d", len(m.jumps.back)+1, len(m.jumps.back)+len(m.jumps.forward)+1))
	return move
}

func (m *Model) jumpBack() tea.Cmd    { return m.jump(&m.jumps.back, &m.jumps.forward) }
func (m *Model) jumpForward() tea.Cmd { return m.jump(&m.jumps.forward, &m.jumps.back) }

// mayJump reports whether a key may be a jump at the moment.
func (m *Model) mayJump(name string) bool {
	if b := m.bound(name); b != nil {
		name = b.keys[0]
	}
	return m.overlay != nil || !slices.Contains(little, name)
}
