package export_test

import (
	"os"
	"testing"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
)

func TestZZ(t *testing.T) {
	show := func(name string, g *graph.Graph, opts export.Options) {
		for _, f := range []export.Format{export.PNG, export.DOT, export.Mermaid} {
			s, r := write(t, g, f, opts)
			os.WriteFile("/tmp/try/"+name+"."+string(f), []byte(s), 0o644)
			t.Log(name, f, r, r.Drawn, r.DrawnEdges, r.Picture)
		}
	}
	m, loss := mlp()
	m.backward(loss, false, 5)
	show("mlp", m.graph(t), export.Options{Style: export.Full})
	m, loss = mlp()
	m.backward(loss, false, -1)
	show("freed", m.graph(t), export.Options{Style: export.Full})

	m = newMaker()
	a := m.leaf("a", 3)
	b := m.op("CloneBackward0", []int{3}, []value{a})
	m.name("b", b)
	c := m.op("ExpBackward0", []int{3}, []value{b}, keep{name: "result", result: true})
	m.name("c", c)
	m.mutate(c)
	inner := m.node("AddBackward0", 1, []value{c}, nil)
	m.nodes++
	m.append(&graph.NodeCreated{Node: m.nodes, Name: m.str("CopySlices"), Sequence: m.sequence, Outputs: 1, Edges: []graph.Edge{{Node: c.node}}, Inner: inner})
	m.append(&graph.Rebased{Tensor: c.id, OldNode: c.node, Node: m.nodes, Why: graph.RebasedBase})
	c.node = m.nodes
	d := m.view("SelectBackward0", c, 1)
	m.name("d", d)
	show("hazard", m.graph(t), export.Options{Style: export.Full})

	m, loss = lstm(100)
	show("lstm", m.graph(t), export.Options{Style: export.Full, MaxNodes: 80})
	show("lstmtv", m.graph(t), export.Options{MaxNodes: 80})
	show("lstmdef", m.graph(t), export.Options{Style: export.Full})
}
