package dag_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// A sketch writes a tape from lines such as
//
//	w = leaf
//	enter layers.0 Linear
//	y = AddmmBackward0 w x w @12
//	leave
//
// where @12 is the line of the program. A node may only use those above it.
type sketch struct {
	tape    *graph.Tape
	ids     map[string]graph.NodeID
	names   map[graph.NodeID]string
	tensors graph.TensorID
	nodes   uint64
}

func newSketch() *sketch {
	return &sketch{tape: graph.NewTape(graph.Limits{}), ids: map[string]graph.NodeID{}, names: map[graph.NodeID]string{}}
}

func (s *sketch) line(line string) {
	words := strings.Fields(line)
	var h graph.Header
	if i := len(words) - 1; i > 0 && words[i][0] == '@' {
		n, _ := strconv.Atoi(words[i][1:])
		h.Stack = s.tape.InternStack(graph.Stack{{File: "train.py", Line: n}})
		words = words[:i]
	}
	str := s.tape.InternString
	switch {
	case len(words) == 0:
	case words[0] == "enter":
		s.tape.Append(h, &graph.ModuleEntered{Path: str(words[1]), Type: str(words[2])})
	case words[0] == "leave":
		s.tape.Append(h, &graph.ModuleLeft{})
	default:
		id := graph.NodeID(len(s.ids) + 1)
		s.nodes++
		e := &graph.NodeCreated{Node: id, Name: str(words[2]), Sequence: s.nodes, Outputs: 1}
		for _, to := range words[3:] {
			e.Edges = append(e.Edges, graph.Edge{Node: s.ids[to]})
		}
		if words[2] == "leaf" {
			s.tensors++
			s.tape.Append(h, &graph.TensorCreated{
				Tensor: s.tensors, Storage: graph.StorageID(s.tensors), Counter: graph.CounterID(s.tensors),
				DType: graph.Float32, Flags: graph.FlagRequiresGrad,
			})
			e.Name, e.Sequence, e.Variable = str("AccumulateGrad"), graph.MaxSequence, s.tensors
		}
		s.tape.Append(h, e)
		s.ids[words[0]], s.names[id] = id, words[0]
	}
}

func (s *sketch) lines(text string) *sketch {
	for line := range strings.Lines(text) {
		s.line(line)
	}
	return s
}

func (s *sketch) graph() *graph.Graph { return s.tape.CursorAt(s.tape.Len()).Graph() }

// dag collects what the roots lead to.
func (s *sketch) dag(roots ...string) *dag.Dag {
	var ids []graph.NodeID
	for _, r := range roots {
		ids = append(ids, s.ids[r])
	}
	return dag.Collect(s.graph(), ids)
}

// order are the names of nodes in order of execution.
func (s *sketch) order(d *dag.Dag) []string {
	var names []string
	for i := range d.Len() {
		names = append(names, s.names[d.Node(i)])
	}
	return names
}

// rows draws a view.
func (s *sketch) rows(t testing.TB, v *dag.View) string {
	t.Helper()
	var b strings.Builder
	places := v.Places(0, v.Rows())
	var cells []dag.Cell
	for i := range v.Rows() {
		r := v.Row(i)
		cells = r.Cells(cells[:0], places)
		var line strings.Builder
		for _, c := range cells {
			switch {
			case c.Mark && r.Group != nil:
				line.WriteRune('▸')
			case c.Mark && r.Consumers > 1:
				line.WriteRune('◉')
			case c.Mark:
				line.WriteRune('●')
			default:
				line.WriteRune(c.Box())
			}
		}
		if r.More > 0 {
			line.WriteString("+" + strconv.Itoa(r.More))
		}
		line.WriteString(" " + strings.Repeat("  ", r.Level))
		line.WriteString(s.label(v, i))
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// label is the text of a row.
func (s *sketch) label(v *dag.View, row int) string {
	if g := v.Row(row).Group; g != nil {
		return title(v, g)
	}
	return s.names[v.Row(row).Node]
}

// drawing draws a layered drawing.
func (s *sketch) drawing(v *dag.View, d *dag.Drawing) string {
	lines := make([][]rune, d.Height)
	for y := range lines {
		for x := range d.Width {
			lines[y] = append(lines[y], d.At(x, y).Box())
		}
	}
	for row := range d.In(dag.Rect{W: d.Width, H: d.Height}) {
		r, _ := d.Rect(row)
		text := []rune(s.label(v, row))
		if r.H == 1 {
			copy(lines[r.Y][r.X:], []rune("["+strings.Repeat(" ", r.W-2)+"]"))
		}
		copy(lines[r.Y+r.H/2][r.X+(r.W-len(text))/2:], text)
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	return b.String()
}

// title says what a group is.
func title(v *dag.View, g *arrange.Group) string {
	switch g.Kind {
	case arrange.Repetition:
		names, _ := v.Names(g.First, g.First+g.Each, 4)
		return fmt.Sprintf("×%d · %d each: %s", g.Times, g.Each, strings.Join(names, " "))
	case arrange.Step:
		return fmt.Sprintf("step %d · %d", g.Number, g.Len())
	}
	m, _ := v.Graph().Module(g.Module)
	return fmt.Sprintf("%s (%s) · %d", m.Path, m.Type, g.Len())
}
