package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/session"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/ui/cells"
	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/suggest"
)

// A command is a line that can be typed after a colon.
type command struct {
	name, args, help string
	do               func(m *Model, args string) tea.Cmd
	// complete lists the possible arguments; may be nil.
	complete func(m *Model) []string
}

var commands []command

func init() {
	commands = []command{
		{"goto", "EVENT | end | backward:K | iteration K | FILE:LINE", "move the cursor", (*Model).commandGoto, (*Model).placeNames},
		{"root", "NAME | NODE | auto", "select the root of the graph", (*Model).commandRoot, (*Model).names},
		{"tensor", "NAME", "select a tensor", (*Model).commandTensor, (*Model).names},
		{"node", "NUMBER", "select a node", (*Model).commandNode, nil},
		{"value", "[NAME [SLICE]]", "show the elements of a tensor or of its .grad: value fc1.weight.grad 0, :", (*Model).commandValue, (*Model).names},
		{"p", "EXPR", "evaluate an expression in the chosen frame of the stopped program", func(m *Model, args string) tea.Cmd { return m.commandPrint(control.AskValue, args) }, (*Model).names},
		{"p!", "STATEMENT", "run a statement in the program, which it may change", func(m *Model, args string) tea.Cmd { return m.commandPrint(control.AskRun, args) }, (*Model).names},
		{"print", "EXPR", "the same as p", func(m *Model, args string) tea.Cmd { return m.commandPrint(control.AskValue, args) }, (*Model).names},
		{"watch", "EXPR", "evaluate an expression at every stop", (*Model).commandWatch, (*Model).names},
		{"unwatch", "NUMBER | all", "end a watch", (*Model).commandUnwatch, nil},
		{"explain", "[NAME]", "explain a tensor: what made it, what reads it, its gradient", (*Model).commandExplain, (*Model).names},
		{"break", "[QUERY]", "set a breakpoint, or list them: break train.py:12, break op mul* if max > 10, break writes(w), break finding nan-grad", (*Model).commandBreak, (*Model).breakpointWords},
		{"hits", "[QUERY | NUMBER]", "list the hits of a query, or of a breakpoint: hits reads(w) and iteration == 3", (*Model).commandHits, (*Model).breakpointWords},
		{"clear", "[NUMBER]", "clear a breakpoint, or all", (*Model).commandClear, nil},
		{"mark", "[NAME]", "set a bookmark here", (*Model).commandMark, nil},
		{"go", "[NAME | NUMBER]", "go to a bookmark, or list them", (*Model).commandGo, (*Model).bookmarkNames},
		{"export", "[whole] [STYLE] FILE", "write the graph, or the graph of all roots, as " + exportFormats() + "; STYLE is " + exportStyles() + ", and `p` draws in it then; FILE! overwrites", (*Model).commandExport, nil},
		{"restart", "", "end the program, run it again, and go back to this place", func(m *Model, _ string) tea.Cmd { return m.restart() }, nil},
		{"size", "[PANE [width] PERCENT]", "set the height of a pane in its column, or the width of the column, or reset all sizes: size graph 60%", (*Model).commandSize, sizeNames},
		{"rerun", "[on | off]", "run the program again whenever one of its source files is saved", (*Model).commandRerun, func(*Model) []string { return []string{"on", "off"} }},
		{"pin", "[WHERE | rank K | off]", "pin the cursor, a place as goto takes it, or another rank, as moment A: pin iteration 2", (*Model).commandPin, func(m *Model) []string { return append(m.placeNames(), m.bookmarkNames()...) }},
		{"what", "differs", "list what differs between moment A and the cursor", (*Model).commandWhat, func(*Model) []string { return []string{"differs"} }},
		{"tie", "[on | off]", "let moment A follow the cursor to the corresponding event", (*Model).commandTie, func(*Model) []string { return []string{"on", "off"} }},
		{"set", "NAME = EXPR", "run the program again with a change here, and compare: set opt.lr = 0.01, set model.fc.weight[0, 0] = 3", (*Model).commandSet, (*Model).names},
		{"fork", "[STATEMENTS]", "run the program again with statements here, and compare; or list such runs", (*Model).commandFork, nil},
		{"fold", "views [off]", "leave out nodes that only change how elements are addressed: view, transpose, permute", (*Model).commandFold, func(*Model) []string { return []string{"views", "views off"} }},
		{"fix", "[CODE]", "run the program again with the fix of the open finding, or of the first one of a rule", (*Model).commandFix, nil},
		{"audit", "[STEP] [directions N]", "measure whether the gradients of a training step are the derivative of its loss", (*Model).commandAudit, nil},
		{"gradcheck", "[NODE]", "compare what a node sent on in backward with the derivative of its operation", (*Model).commandGradcheck, nil},
		{"edit", "[TEXT]", "run the program again with another text of the line that the source pane shows, and compare", (*Model).commandEdit, nil},
		{"forks", "[FORK [NAME]]", "list the forks and draw the losses; pin a fork as moment A: forks 2; or name it: forks 2 small steps", (*Model).commandForks, (*Model).forkNames},
		{"losses", "", "draw the losses of this run and of the others", (*Model).commandLosses, nil},
		{"swap", "", "swap the cursor and moment A", (*Model).commandSwap, nil},
		{"rank", "NUMBER | launcher", "switch to another rank of a distributed program", (*Model).commandRank, (*Model).rankNumbers},
		{"ranks", "", "compare the ranks", func(m *Model, _ string) tea.Cmd { return m.compareRanks() }, nil},
		{"session", "[clear]", "say what is kept for the next time, and where, or remove it", (*Model).commandSession, func(*Model) []string { return []string{"clear"} }},
		{"help", "", "list the keys and the commands", func(m *Model, _ string) tea.Cmd { return m.openHelp() }, nil},
		{"quit", "", "quit", func(m *Model, _ string) tea.Cmd { return m.quit() }, nil},
	}
}

// run carries out a command line. Any prefix of a command's name is enough.
func (m *Model) run(line string) tea.Cmd {
	if times, key, ok := readCount(strings.TrimSpace(line)); ok {
		return m.repeat(times, key)
	}
	name, args, _ := strings.Cut(strings.TrimSpace(line), " ")
	if name == "" {
		return nil
	}
	found := -1
	var names []string
	for i, c := range commands {
		names = append(names, c.name)
		if c.name == name {
			found = i
		} else if found < 0 && strings.HasPrefix(c.name, name) {
			found = i
		}
	}
	if found < 0 {
		hint := suggest.Hint(name, names)
		if hint == "" {
			hint = "; the commands are " + strings.Join(names, ", ")
		}
		return m.sayError(fmt.Errorf("unknown command %q%s", name, hint))
	}
	return commands[found].do(m, strings.TrimSpace(args))
}

// commandLine is the overlay in which a command is typed.
type commandLine struct {
	prompt
	past        int // how many lines back in the history; 0: the new one
	kept        string
	completions []string
	next        int
}

func (m *Model) openCommandLine() tea.Cmd {
	m.overlay = &commandLine{prompt: prompt{title: ":", do: (*Model).run}}
	return nil
}

func (c *commandLine) draw(m *Model, r cells.Region) {
	c.prompt.draw(m, r)
	if times, key, ok := readCount(c.String()); ok {
		says := key + " is not a key"
		if b := m.bound(key); b != nil {
			says = fmt.Sprintf("%d times: %s", times, b.help)
		}
		r = r.Part(m.layout.status)
		r.Fit(len(c.text)+4, 0, r.W-len(c.text)-4, muted, says)
		return
	}
	if len(c.completions) > 1 {
		r = r.Part(m.layout.status)
		r.Fit(max(r.W/2, len(c.text)+4), 0, r.W/2, muted, strings.Join(c.completions, " "))
	}
}

func (c *commandLine) press(m *Model, key tea.KeyPressMsg) tea.Cmd {
	name := key.String()
	if name != "tab" {
		c.completions = nil
	}
	switch name {
	case "up", "ctrl+p":
		c.recall(m, 1)
		return nil
	case "down", "ctrl+n":
		c.recall(m, -1)
		return nil
	case "tab":
		c.complete(m)
		return nil
	case "backspace":
		if len(c.text) == 0 {
			return m.close()
		}
	case "enter":
		m.typed = appendLine(m.typed, c.String())
	}
	return c.prompt.press(m, key)
}

// appendLine adds a line that was typed to those before, if it is another one.
func appendLine(lines []string, line string) []string {
	if line == "" || len(lines) > 0 && lines[len(lines)-1] == line {
		return lines
	}
	lines = append(lines, line)
	return lines[max(len(lines)-session.Most, 0):]
}

// recall brings back an earlier line.
func (c *commandLine) recall(m *Model, by int) {
	if c.past == 0 {
		c.kept = c.String()
	}
	c.past = max(min(c.past+by, len(m.typed)), 0)
	if c.past == 0 {
		c.set(c.kept)
	} else {
		c.set(m.typed[len(m.typed)-c.past])
	}
}

// complete completes the last word; called again it goes on to the next completion.
func (c *commandLine) complete(m *Model) {
	if c.completions == nil {
		c.completions, c.next = m.completions(c.String()), 0
	}
	if len(c.completions) == 0 {
		return
	}
	head := ""
	if i := strings.LastIndexByte(c.String(), ' '); i >= 0 {
		head = c.String()[:i+1]
	}
	c.set(head + c.completions[c.next%len(c.completions)])
	c.next++
}

// maxCompletions bounds the words that a completion goes through.
const maxCompletions = 50

// completions returns the completions of the last word of a line.
func (m *Model) completions(line string) (words []string) {
	name, args, any := strings.Cut(line, " ")
	var all []string
	prefix := name
	if !any {
		for _, c := range commands {
			all = append(all, c.name)
		}
	} else {
		for _, c := range commands {
			if c.name == name && c.complete != nil {
				all = c.complete(m)
			}
		}
		prefix = args[strings.LastIndexByte(args, ' ')+1:]
	}
	for _, w := range all {
		if strings.HasPrefix(w, prefix) && len(words) < maxCompletions {
			words = append(words, w)
		}
	}
	return words
}

// names returns the names of tensors at the cursor.
func (s *state) names() (names []string) {
	for b := range s.graph().Bindings() {
		if b.Tensor != 0 && !slices.Contains(names, b.Name) && len(names) < 10*maxCompletions {
			names = append(names, b.Name)
		}
	}
	slices.Sort(names)
	return names
}

// lookup finds a tensor by its name, or by its number: t17.
func (s *state) lookup(name string) (graph.TensorID, error) {
	if id, ok := s.graph().Lookup(name); ok {
		return id, nil
	}
	if n, ok := number(name, "t"); ok {
		if _, exists := s.graph().Tensor(graph.TensorID(n)); exists {
			return graph.TensorID(n), nil
		}
	}
	return 0, fmt.Errorf("no tensor is called %q here%s", name, suggest.Hint(name, s.names()))
}

// number reads "n17" or "17".
func number(s, letter string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(s, letter))
	return n, err == nil && n > 0
}

func (m *Model) commandGoto(args string) tea.Cmd {
	if args == "end" {
		return m.toEnd()
	}
	return m.toMoment(args, func(m *Model, p graph.Pos) tea.Cmd {
		m.following = false
		return m.goTo(p, look)
	})
}

func (m *Model) commandRoot(args string) tea.Cmd {
	if args == "auto" || args == "" {
		return m.setRoot(0)
	}
	if n, ok := number(args, "n"); ok {
		if _, exists := m.graph().Node(graph.NodeID(n)); exists {
			return m.setRoot(graph.NodeID(n))
		}
	}
	id, err := m.lookup(args)
	if err != nil {
		return m.sayError(err)
	}
	t, _ := m.graph().Tensor(id)
	if t.Node == 0 {
		return m.sayError(fmt.Errorf("%s is a leaf: it has no grad_fn and so no graph", args))
	}
	return m.setRoot(t.Node)
}

func (m *Model) commandTensor(args string) tea.Cmd {
	id, err := m.lookup(args)
	if err != nil {
		return m.sayError(err)
	}
	m.chooseTensor(id)
	m.show(inspectorPane)
	return nil
}

func (m *Model) commandNode(args string) tea.Cmd {
	n, ok := number(args, "n")
	if _, exists := m.graph().Node(graph.NodeID(n)); !ok || !exists {
		return m.sayError(fmt.Errorf("no node is called %q here; use a number, for example n17", args))
	}
	m.chooseNode(graph.NodeID(n))
	return nil
}

func (m *Model) commandExplain(args string) tea.Cmd {
	if args != "" {
		id, err := m.lookup(args)
		if err != nil {
			return m.sayError(err)
		}
		m.chooseTensor(id)
	}
	return m.explain()
}
