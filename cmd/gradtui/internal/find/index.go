// Package find searches a recorded program for tensors by name, nodes, operations, modules,
// source files, functions and findings. Begin with [Index] and its method Find.
//
// An [Index] follows a tape and keeps its labels: the texts under which things can be
// found, of which there are few even on a long tape, and for each label its moments: what it
// stood for from when on. A search reads the query (query.go), matches labels (search.go), and
// only then looks for the things that the best labels stand for (hit.go), the nearest to
// the cursor first. Completion matches labels as well (complete.go).
//
// All texts come from programs; labels and details are safe to draw on a terminal.
package find

import (
	"slices"
	"strings"
	"sync"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/console"
	"github.com/gradtui/gradtui/internal/packed"
)

// Kind says what a label stands for.
type Kind uint8

// The kinds, in the order in which equally good matches are listed.
const (
	Tensor   Kind = iota // a name of a tensor
	Node                 // the name of nodes of the backward graph
	Finding              // a finding
	Op                   // the name of an operation
	Module               // a module whose forward pass ran: its path and type
	Function             // a function of the program
	File                 // a source file
	Position             // an event, by its number
	kindLimit
)

var kindNames = [kindLimit]string{"tensor", "node", "finding", "op", "module", "function", "file", "position"}

func (k Kind) String() string { return kindNames[k] }

// An Index knows what can be found on a tape, which may grow. Its methods
// may be called from several goroutines.
type Index struct {
	tape *graph.Tape

	mu       sync.RWMutex
	dec      *graph.Decoder
	pos      graph.Pos
	labels   []label
	findings []label
	reported []inspect.Finding
	named    map[nameKey]int  // labels of things with interned names
	placed   map[placeKey]int // labels of files and functions
	stacks   map[graph.StackID]bool
	tensors  packed.List[uint32] // by TensorID: the event that made it + 1
	nodes    packed.List[uint32] // by NodeID, as tensors

	// pages is held while a packed list is read under the shared lock, because reading may
	// unpack a page.
	pages sync.Mutex
}

type nameKey struct {
	kind  Kind
	name  graph.StringID
	other graph.StringID // scope of a tensor's name, type of a module
}

type placeKey struct{ file, function string }

// A label is a text under which things are found.
type label struct {
	kind  Kind
	text  string // printable
	name  int    // where the name itself begins in text, behind scope or folder
	times moments
	file  string      // files and functions
	line  int         // functions: the first line that ran
	lines map[int]ran // files: the lines that ran
}

// A ran is a line of a file that ran.
type ran struct {
	first    uint32 // the first event from it
	function string
}

// maxLabel bounds the bytes of a label.
const maxLabel = 256

// NewIndex returns the index at the beginning of a tape.
func NewIndex(tape *graph.Tape) *Index {
	x := &Index{
		tape: tape, dec: tape.NewDecoder(), named: map[nameKey]int{}, placed: map[placeKey]int{},
		stacks: map[graph.StackID]bool{},
	}
	x.tensors.Push(0)
	x.nodes.Push(0)
	return x
}

// Pos returns how many events the index knows.
func (x *Index) Pos() graph.Pos {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.pos
}

// Extend reads the events before a position, or up to the end of the tape. A search waits
// meanwhile: extend over a long tape in slices.
func (x *Index) Extend(to graph.Pos) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for to = min(to, x.tape.Len()); x.pos < to; x.pos++ {
		if head, err := x.dec.Header(x.pos); err == nil && !x.stacks[head.Stack] {
			x.stacks[head.Stack] = true
			x.visited(x.tape.Stack(head.Stack))
		}
		if k, err := x.dec.Kind(x.pos); err == nil && indexed[k] {
			if _, e, err := x.dec.ReadUntimed(x.pos); err == nil {
				x.take(e)
			}
		}
	}
}

// SetFindings replaces the findings that can be found.
func (x *Index) SetFindings(findings []inspect.Finding) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.reported, x.findings = slices.Clone(findings), nil
	for i, f := range x.reported {
		l := newLabel(Finding, "", f.Code+": "+f.Message)
		l.times.Append(moment{uint32(max(f.At, 0)), uint32(i)})
		x.findings = append(x.findings, l)
	}
}

// indexed are the kinds of events that name something.
var indexed = [256]bool{
	graph.KindTensorCreated: true, graph.KindNodeCreated: true, graph.KindNameBound: true,
	graph.KindOpRan: true, graph.KindModuleEntered: true,
}

func (x *Index) take(e graph.Event) {
	switch e := e.(type) {
	case *graph.TensorCreated:
		if int(e.Tensor) == x.tensors.Len() {
			x.tensors.Push(uint32(x.pos) + 1)
			x.tensors.Settle()
		}
	case *graph.NodeCreated:
		if int(e.Node) == x.nodes.Len() {
			x.nodes.Push(uint32(x.pos) + 1)
			x.nodes.Settle()
			x.met(nameKey{kind: Node, name: e.Name}, uint32(e.Node))
		}
	case *graph.NameBound:
		if e.Tensor != 0 && int(e.Tensor) < x.tensors.Len() {
			x.met(nameKey{Tensor, e.Name, e.Scope}, uint32(e.Tensor))
		}
	case *graph.OpRan:
		x.met(nameKey{kind: Op, name: e.Op}, 0)
	case *graph.ModuleEntered:
		x.met(nameKey{Module, e.Path, e.Type}, 0)
	}
}

// met notes that a name stands for a thing from this event on.
func (x *Index) met(k nameKey, id uint32) {
	i, ok := x.named[k]
	if !ok {
		i = len(x.labels)
		x.named[k] = i
		name, other := x.tape.String(k.name), x.tape.String(k.other)
		switch {
		case k.kind == Module:
			x.labels = append(x.labels, newLabel(k.kind, "", strings.TrimSpace(name+" "+other)))
		case other != "":
			x.labels = append(x.labels, newLabel(k.kind, other+".", name))
		default:
			x.labels = append(x.labels, newLabel(k.kind, "", name))
		}
	}
	l := &x.labels[i]
	if n := l.times.Len(); n == 0 || id == 0 || l.times.At(n-1).id != id {
		l.times.Append(moment{uint32(x.pos), id})
	}
}

// visited notes the files, lines and functions of a call stack.
func (x *Index) visited(stack graph.Stack) {
	for _, f := range stack {
		if f.File == "" || f.Line <= 0 {
			continue
		}
		file := x.at(placeKey{file: f.File}, f)
		if _, known := file.lines[f.Line]; !known {
			file.lines[f.Line] = ran{uint32(x.pos), f.Func}
		}
		if f.Func != "" {
			function := x.at(placeKey{f.File, f.Func}, f)
			function.line = min(function.line, f.Line)
		}
	}
}

// at returns the label of a file or function.
func (x *Index) at(k placeKey, f graph.Frame) *label {
	i, ok := x.placed[k]
	if !ok {
		i = len(x.labels)
		x.placed[k] = i
		l := newLabel(Function, "", f.Func)
		if k.function == "" {
			name := baseOf(f.File)
			l = newLabel(File, f.File[:name], f.File[name:])
			l.lines = map[int]ran{}
		}
		l.file, l.line = f.File, f.Line
		l.times.Append(moment{at: uint32(x.pos)})
		x.labels = append(x.labels, l)
	}
	return &x.labels[i]
}

// newLabel makes a label of a name and its scope or folder.
func newLabel(kind Kind, before, name string) label {
	before, name = printable(before), printable(name)
	return label{kind: kind, text: before + name, name: len(before)}
}

// printable returns text as one line that is not too long.
func printable(s string) string { return console.OneLine(s[:min(len(s), maxLabel)]) }
