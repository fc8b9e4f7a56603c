package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// paneID is the index of a pane in the table below.
type paneID int

const (
	graphPane paneID = iota
	sourcePane
	inspectorPane
	timelinePane
	findingsPane
	outputPane
	memoryPane
	stackPane
	paneCount
)

// A paneKind is everything that the debugger knows about a pane.
type paneKind struct {
	name string
	help string // what it shows
	// two and three are where it stands in two and in three columns.
	two, three slot
	// make makes the pane. A pane that the model also addresses by itself has a field in
	// panes.
	make func(*panes, *graph.Tape) pane
}

// paneKinds is the table of the panes, in the order of their keys, which are 1, 2, …
var paneKinds = [paneCount]paneKind{
	graphPane: {"Graph", "the backward graph behind the root, in the order in which it runs", upperLeft, left,
		func(p *panes, _ *graph.Tape) pane { p.graph = newGraph(); return p.graph }},
	sourcePane: {"Source", "the line of the selection", lowerLeft, upperMiddle,
		func(p *panes, _ *graph.Tape) pane { p.source = &sourceView{}; return p.source }},
	inspectorPane: {"Inspector", "the selected node or tensor: values, gradients, saved tensors, history", upperRight, upperRight,
		func(*panes, *graph.Tape) pane { return &inspectorView{} }},
	timelinePane: {"Timeline", "the run at a glance", bottom, bottom,
		func(*panes, *graph.Tape) pane { return &timelineView{} }},
	findingsPane: {"Findings", "what is wrong with the gradients, and which line to change", corner, corner,
		func(p *panes, _ *graph.Tape) pane { p.findings = &findingsView{}; return p.findings }},
	outputPane: {"Output", "what the program has printed", corner, lowerMiddle,
		func(p *panes, _ *graph.Tape) pane { p.output = newOutput(); return p.output }},
	memoryPane: {"Memory", "the bytes that are held, and by which lines", corner, corner,
		func(p *panes, tape *graph.Tape) pane { p.memory = newMemory(tape); return p.memory }},
	stackPane: {"Stack", "the functions that run, their variables, watches and results of :p", corner, corner,
		func(p *panes, _ *graph.Tape) pane { p.stack = &stackView{}; return p.stack }},
}

// panes are the panes of one model.
type panes struct {
	all [paneCount]pane

	graph    *graphView
	source   *sourceView
	findings *findingsView
	output   *outputView
	memory   *memoryView
	stack    *stackView
}

func newPanes(tape *graph.Tape) (p panes) {
	for id, kind := range paneKinds {
		p.all[id] = kind.make(&p, tape)
	}
	return p
}

func (id paneID) name() string { return paneKinds[id].name }

// key is the key that focuses the pane.
func (id paneID) key() string { return strconv.Itoa(int(id) + 1) }

// inCorner reports whether the pane shares a corner of the screen with others, of which
// the one that was focused last is shown.
func (id paneID) inCorner() bool { return paneKinds[id].two == corner }

// paneKeys are the keys of all panes, in order.
func paneKeys() (keys []string) {
	for id := range paneCount {
		keys = append(keys, id.key())
	}
	return keys
}

// PaneList names all panes, as they are typed.
func PaneList() string {
	var names []string
	for _, kind := range paneKinds {
		names = append(names, strings.ToLower(kind.name))
	}
	return strings.Join(names, ", ")
}

// paneNamed returns the pane whose name begins so.
func paneNamed(prefix string) (id paneID, ok bool) {
	i := slices.IndexFunc(paneKinds[:], func(k paneKind) bool {
		return strings.HasPrefix(strings.ToLower(k.name), strings.ToLower(prefix))
	})
	return paneID(i), i >= 0
}
