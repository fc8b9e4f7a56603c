package linear

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui"
)

// A word begins a line that means something else, or more, than the key or the command of
// that name.
type word struct {
	name, args, help string
	do               func(l *linear, args string)
}

var words []word

func init() {
	words = []word{
		{"p", "[PANE or EXPR]", "print a pane: " + ui.PaneList() + "; or what an expression gives", (*linear).print},
		{"stack", "", "print the call stack, the watches and the newest result", func(l *linear, _ string) { l.printPane("stack") }},
		{"locals", "[NUMBER]", "print the variables of the chosen frame, or of another one, counted from the innermost, 1", (*linear).locals},
		{"/", "TEXT", "search, and go to the best match", (*linear).search},
		{"b", "[WHERE]", "set or clear a breakpoint on the selection, or set one at WHERE", keyOr("b", "break")},
		{"x", "[NAME]", "explain the selected tensor, or another one", keyOr("x", "explain")},
		{"e", "FILE", "export the graph", keyOr("e", "export")},
		{"type", "TEXT", "send a line to the program, even while it runs", func(l *linear, args string) { l.m.SendLine(args) }},
		{"help", "", "list the commands; also ?", (*linear).help},
	}
}

// onScreen are the keys that only concern the screen.
var onScreen = []string{":", "?", "z", "v", "w", "y", "E", "ctrl+z", "tab", "shift+tab", "left", "right", "+", "-", "space"}

// meant are the commands of keys that ask first on the screen: a typed line is meant.
var meant = map[string]string{"q": "quit", "R": "restart"}

// do carries out a line.
func (l *linear) do(line string) {
	l.m.TakeMessage()
	if _, proposal, ok := l.m.Asked(); ok {
		if line == "" {
			line = proposal
		}
		l.update(ui.Do(func(m *ui.Model) tea.Cmd { return m.Answer(line) }))
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
	for _, w := range words {
		if w.name == name && (args == "" || w.args != "") && (!isCommand || w.name == "help") {
			w.do(l, args)
			return
		}
	}
	if args == "" && !isCommand && l.press(name) {
		return
	}
	l.run(line)
}

// run carries out a command line.
func (l *linear) run(line string) {
	l.update(ui.Do(func(m *ui.Model) tea.Cmd { return m.Run(line) }))
}

// press does what a key does; false: the key is not bound.
func (l *linear) press(name string) bool {
	k, ok := l.m.Key(name)
	if !ok || slices.Contains(onScreen, k.Names[0]) {
		return false
	}
	if command, ok := meant[name]; ok && k.Works {
		l.run(command)
		return true
	}
	if !k.Works {
		l.m.Say(k.Why)
		return true
	}
	l.update(k.Press)
	return true
}

// keyOr does what a key does, or with arguments what a command does.
func keyOr(key, command string) func(l *linear, args string) {
	return func(l *linear, args string) {
		if args == "" {
			l.press(key)
			return
		}
		l.run(command + " " + args)
	}
}

// search goes to the best match of a text.
func (l *linear) search(text string) {
	l.update(ui.Do((*ui.Model).Search))
	l.update(tea.PasteMsg{Content: text})
	l.then = func() {
		l.update(tea.KeyPressMsg{Code: tea.KeyEnter})
		if l.m.Overlaid() {
			l.update(tea.KeyPressMsg{Code: tea.KeyEscape})
			l.m.Say("no match")
		}
	}
}

// help lists what can be typed.
func (l *linear) help(string) {
	for _, k := range l.m.Keys() {
		special := func(w word) bool { return slices.Contains(k.Names, w.name) }
		if k.Help != "" && k.Works && !slices.Contains(onScreen, k.Names[0]) && !slices.ContainsFunc(words, special) {
			l.printf("%s: %s", strings.Join(k.Names, " or "), k.Help)
		}
	}
	for _, w := range words {
		l.printf("%s: %s", strings.TrimSpace(w.name+" "+w.args), w.help)
	}
	for _, c := range ui.Commands() {
		if !slices.ContainsFunc(words, func(w word) bool { return w.name == c.Name }) {
			l.printf("%s: %s", strings.TrimSpace(c.Name+" "+c.Args), c.Help)
		}
	}
}

// print prints a pane, or what an expression gives where the program stands. The names of panes come
// first, and their beginnings last.
func (l *linear) print(what string) {
	if what == "" || !l.m.AtStop() || slices.Contains(strings.Split(ui.PaneList(), ", "), what) {
		l.printPane(what)
		return
	}
	l.run("p " + what)
}

// locals prints the variables of a frame.
func (l *linear) locals(number string) {
	n, err := 0, error(nil)
	if number != "" {
		n, err = strconv.Atoi(number)
	}
	if err != nil || n < 0 {
		l.m.Say(fmt.Sprintf("%q is not the number of a frame", number))
		return
	}
	l.update(ui.Do(func(m *ui.Model) tea.Cmd { return m.ShowLocals(n) }))
	l.then = func() {
		for _, row := range l.m.LocalWords() {
			l.printf("%s", row)
		}
	}
}

// printPane prints a pane; without a name the focused one.
func (l *linear) printPane(name string) {
	found := false
	l.update(ui.Do(func(m *ui.Model) tea.Cmd { found = m.ShowPane(name); return nil }))
	if !found {
		l.m.Say(fmt.Sprintf("there is no pane %q; the panes are %s", name, ui.PaneList()))
		return
	}
	l.then = func() { // the pane may have to find something out first
		title, rows := l.m.PaneWords()
		l.printf("%s.", title)
		for _, row := range rows {
			l.printf("%s", row)
		}
	}
}
