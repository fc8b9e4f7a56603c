package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// A linearWord is a line, or the begin of one, that means something else, or more, than
// the key or the command of that name.
type linearWord struct {
	name, args, help string
	do               func(l *linear, args string)
}

var linearWords []linearWord

func init() {
	linearWords = []linearWord{
		{"p", "[PANE]", "print a pane: " + strings.ToLower(strings.Join(paneNames[:], ", ")), (*linear).printPane},
		{"/", "TEXT", "search, and go to the best match", (*linear).search},
		{"b", "[WHERE]", "set or clear a breakpoint on the selection, or set one at WHERE", keyOr("b", "break")},
		{"x", "[NAME]", "explain the selected tensor, or another one", keyOr("x", "explain")},
		{"e", "FILE", "export the graph", keyOr("e", "export")},
		{"type", "TEXT", "send a line to the program, even while it runs", (*linear).typeLine},
		{"help", "", "list the commands; also ?", (*linear).help},
	}
}

// onScreen are the keys that are about the screen only.
var onScreen = []string{":", "?", "z", "v", "y", "ctrl+z", "tab", "shift+tab", "left", "right", "+", "-", "space"}

// do carries out a line.
func (l *linear) do(line string) {
	l.update(doMsg(func(m *Model) tea.Cmd { m.notice = notice{}; return nil }))
	if p, ok := l.m.overlay.(*prompt); ok {
		l.answer(p, line)
		return
	}
	line, isCommand := strings.CutPrefix(line, ":")
	switch strings.TrimSpace(line) {
	case "":
		return
	case "?":
		line = "help"
	}
	name, args, _ := strings.Cut(line, " ")
	if rest, ok := strings.CutPrefix(line, "/"); ok {
		name, args = "/", rest
	}
	args = strings.TrimSpace(args)
	for _, w := range linearWords {
		if w.name == name && (args == "" || w.args != "") && (!isCommand || w.name == "help") {
			w.do(l, args)
			return
		}
	}
	if args == "" && !isCommand && l.press(name) {
		return
	}
	l.update(doMsg(func(m *Model) tea.Cmd { return m.run(line) }))
}

// press does what a key does; false: nothing is bound to it.
func (l *linear) press(name string) bool {
	b := l.m.bound(name)
	if b == nil || slices.Contains(onScreen, b.keys[0]) {
		return false
	}
	if !b.works(l.m) {
		l.m.say(muted, fmt.Sprintf("%s does nothing here: %s", name, b.help))
		return true
	}
	l.update(doMsg(b.do))
	return true
}

// answer gives a prompt its line; an empty one stands for what the prompt proposes.
func (l *linear) answer(p *prompt, line string) {
	l.m.close()
	if line == "" {
		line = p.String()
	}
	l.update(doMsg(func(m *Model) tea.Cmd { return p.do(m, line) }))
}

// keyOr does what a key does, or with arguments what a command does.
func keyOr(key, command string) func(l *linear, args string) {
	return func(l *linear, args string) {
		if args == "" {
			l.press(key)
			return
		}
		l.update(doMsg(func(m *Model) tea.Cmd { return m.run(command + " " + args) }))
	}
}

// typeLine types a line for the program.
func (l *linear) typeLine(text string) {
	if !l.m.live() {
		l.m.say(muted, "no program is running here that reads input")
	} else if err := l.m.Program.Input(text + "\n"); err != nil {
		l.m.sayError(err)
	}
}

// search goes to the best match of a text.
func (l *linear) search(text string) {
	l.update(doMsg((*Model).openSearch))
	l.update(tea.PasteMsg{Content: text})
	l.then = func() {
		l.update(tea.KeyPressMsg{Code: tea.KeyEnter})
		if l.m.overlay != nil {
			l.update(tea.KeyPressMsg{Code: tea.KeyEscape})
			l.m.say(muted, "no match")
		}
	}
}

// help tells what lines there are.
func (l *linear) help(string) {
	for i := range l.m.keys {
		b := &l.m.keys[i]
		special := func(w linearWord) bool { return slices.Contains(b.keys, w.name) }
		if b.help != "" && b.do != nil && b.works(l.m) && !slices.Contains(onScreen, b.keys[0]) && !slices.ContainsFunc(linearWords, special) {
			l.printf("%s: %s", strings.Join(b.keys, " or "), b.help)
		}
	}
	for _, w := range linearWords {
		l.printf("%s: %s", strings.TrimSpace(w.name+" "+w.args), w.help)
	}
	for _, c := range commands {
		if !slices.ContainsFunc(linearWords, func(w linearWord) bool { return w.name == c.name }) {
			l.printf("%s: %s", strings.TrimSpace(c.name+" "+c.args), c.help)
		}
	}
}
