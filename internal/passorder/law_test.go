package passorder_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/passorder"
	"github.com/gradtui/gradtui/internal/testing/passes"
)

// A prediction is what package passorder says about a pass of the engine.
type prediction struct {
	passorder.Pass
	nodes   []graph.NodeID // by number
	numbers map[graph.NodeID]int32
}

// predict makes the pass that began with an event, of the graph there.
func predict(g *graph.Graph, b graph.Backward) (p *prediction, roots []int32) {
	p = &prediction{numbers: map[graph.NodeID]int32{0: passorder.None}}
	visit := func(id graph.NodeID) int32 {
		i, ok := p.numbers[id]
		if !ok {
			i = int32(len(p.nodes))
			p.numbers[id], p.nodes = i, append(p.nodes, id)
		}
		return i
	}
	for _, r := range b.Roots {
		roots = append(roots, visit(r.Node))
	}
	for i := 0; i < len(p.nodes); i++ {
		n, _ := g.Node(p.nodes[i])
		var next []int32
		for _, e := range n.Edges {
			next = append(next, visit(e.Node))
		}
		p.Add(n.Sequence, next...)
	}
	if len(b.Inputs) > 0 {
		var inputs []int32
		for _, x := range b.Inputs {
			t, _ := g.Tensor(x)
			node := t.Node
			for i, id := range p.nodes { // a leaf's AccumulateGrad
				if n, _ := g.Node(id); n.Variable == x {
					node = p.nodes[i]
				}
			}
			if i, ok := p.numbers[node]; ok {
				inputs = append(inputs, i)
			}
		}
		p.Select(inputs, b.Flags&graph.GradOnly != 0)
	}
	return p, roots
}

// The engine of package autograd makes the same nodes ready, and runs the same ones, in
// the same order, whatever the roots and the inputs.
func TestTheEngineRunsNodesInTheSameOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tape := graph.NewTape(graph.Limits{})
		_, stop := autograd.Record(tape)
		err := passes.Random(t)
		stop()
		if err != nil {
			t.Fatal(err)
		}
		became, ran := map[graph.BackwardID][]graph.NodeID{}, map[graph.BackwardID][]graph.NodeID{}
		c := graph.NewCursor(tape)
		for _, e, err := c.Next(); err == nil; _, e, err = c.Next() {
			switch e := e.(type) {
			case *graph.NodeReady:
				became[e.Backward] = append(became[e.Backward], e.Node)
			case *graph.NodeExecuted:
				ran[e.Backward] = append(ran[e.Backward], e.Node)
			}
		}
		for id := graph.BackwardID(1); int(id) <= c.Graph().BackwardCount(); id++ {
			b, _ := c.Graph().Backward(id)
			g := tape.CursorAt(b.Began).Graph()
			p, roots := predict(g, b)
			var order []graph.NodeID
			for _, i := range p.Run(roots) {
				order = append(order, p.nodes[i])
			}
			if !slices.Equal(order, ran[id]) {
				t.Errorf("backward %d ran %v, want %v", id, ran[id], order)
			}
			for i, node := range p.nodes {
				if p.Ready(int32(i)) != slices.Contains(became[id], node) || p.Done(int32(i)) != p.Ready(int32(i)) {
					t.Errorf("backward %d: node %d is ready: %v", id, node, p.Ready(int32(i)))
				}
			}
		}
	})
}
