package ui

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
)

// exportFormats lists the extensions of the export formats.
func exportFormats() string {
	var endings []string
	for _, f := range export.Formats() {
		endings = append(endings, f.Extension)
	}
	last := len(endings) - 1
	return strings.Join(endings[:last], ", ") + " or " + endings[last]
}

// openExport asks for the name of the file.
func (m *Model) openExport() tea.Cmd {
	p := &prompt{title: "export the graph to: ", do: (*Model).commandExport}
	p.set("graph.svg")
	m.overlay = p
	return nil
}

// askToOverwrite opens the prompt again; a second enter overwrites the file.
func (m *Model) askToOverwrite(args string) tea.Cmd {
	p := &prompt{title: "the file exists; enter overwrites it: ", do: (*Model).commandExport}
	p.set(args + "!")
	m.overlay = p
	return m.say(warned, args+" exists")
}

// exportStyles lists the names of the export styles.
func exportStyles() string {
	var names []string
	for _, s := range export.Styles() {
		names = append(names, s.String())
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// commandExport writes the graph that is shown, or the graph of all roots, to a file. A
// name that ends in ! overwrites a file. A style in front of it is kept for pictures in the
// terminal.
func (m *Model) commandExport(args string) tea.Cmd {
	path, whole := strings.CutPrefix(args, "whole ")
	style := export.Full
	if word, rest, ok := strings.Cut(strings.TrimSpace(path), " "); ok {
		if s, err := export.ParseStyle(word); err == nil {
			style, path, m.style = s, rest, s
		}
	}
	path, overwrite := strings.CutSuffix(strings.TrimSpace(path), "!")
	switch {
	case m.Export == nil:
		return m.sayError(errors.New("export is not available here"))
	case path == "":
		return m.openExport()
	}
	tape, at, roots, write := m.tape, m.at(), m.scope.roots, m.Export
	m.say(muted, "exporting…")
	return func() tea.Msg {
		g := tape.CursorAt(at).Graph() // its own: a picture may take a while
		if whole {
			roots = ends(g)
		}
		said, err := write(context.Background(), g, roots, style, path, overwrite)
		switch {
		case errors.Is(err, fs.ErrExist):
			return FileExists(strings.TrimSpace(args))
		case err != nil:
			return saidMsg{err.Error(), failed}
		}
		return saidMsg{said, strong}
	}
}

// ends returns the nodes that no other node leads to: those that the program still holds,
// or all if it holds none.
func ends(g *graph.Graph) []graph.NodeID {
	var held, all []graph.NodeID
	consumed := map[graph.NodeID]bool{}
	for id := graph.NodeID(g.NodeCount()); id > 0; id-- { // what consumes a node is newer
		n, ok := g.Node(id)
		if !ok {
			continue
		}
		for _, e := range n.Edges {
			consumed[e.Node] = true
		}
		if consumed[id] || n.Variable != 0 {
			continue
		}
		all = append(all, id)
		if !n.Released {
			held = append(held, id)
		}
	}
	if len(held) == 0 {
		return all
	}
	return held
}
