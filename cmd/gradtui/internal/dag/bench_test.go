package dag_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/graph"
)

// chain is a loop of n steps of three nodes; each step is a line of the program each.
func chain(n int) (g *graph.Graph, root graph.NodeID) {
	s := newSketch()
	s.line("w = leaf")
	last := "w"
	step := func(op, more string, line, i int) {
		name := fmt.Sprint(op, i)
		s.line(fmt.Sprintf("%s = %sBackward0 %s %s @%d", name, op, last, more, line))
		last = name
	}
	for i := range n {
		step("Mul", "w", 10, i)
		step("Add", "", 11, i)
		step("Tanh", "", 12, i)
	}
	return s.graph(), s.ids[last]
}

// fanIn is a node that n others share.
func fanIn(n int) (g *graph.Graph, root graph.NodeID) {
	s := newSketch()
	s.line("w = leaf")
	all := "all = Stack"
	for i := range n {
		s.line(fmt.Sprintf("m%d = Mul w @%d", i, i))
		all += fmt.Sprint(" m", i)
	}
	s.line(all)
	return s.graph(), s.ids["all"]
}

var graphs = []struct {
	name string
	make func() (*graph.Graph, graph.NodeID)
}{
	{"chain of 999", func() (*graph.Graph, graph.NodeID) { return chain(333) }},
	{"chain of 99999", func() (*graph.Graph, graph.NodeID) { return chain(33333) }},
	{"fan-in of 10000", func() (*graph.Graph, graph.NodeID) { return fanIn(10000) }},
}

func BenchmarkFoldViews(b *testing.B) {
	for _, n := range []int{333, 33333} {
		b.Run(fmt.Sprint("chain of ", 3*n), func(b *testing.B) {
			s := newSketch()
			s.line("w = leaf")
			last := "w"
			for i := range n {
				s.lines(fmt.Sprintf("t%d = TBackward0 %s\nm%d = MmBackward0 t%d w\nv%d = ViewBackward0 m%d\n", i, last, i, i, i, i))
				last = fmt.Sprint("v", i)
			}
			v := dag.NewView(s.dag(last))
			v.UnfoldAll()
			b.ReportAllocs()
			for b.Loop() {
				v.FoldViews(true)
				v.FoldViews(false)
			}
		})
	}
}

func BenchmarkCollect(b *testing.B) {
	for _, c := range graphs {
		b.Run(c.name, func(b *testing.B) {
			g, root := c.make()
			b.ReportAllocs()
			for b.Loop() {
				dag.Collect(g, []graph.NodeID{root})
			}
		})
	}
}

func BenchmarkNewView(b *testing.B) {
	for _, c := range graphs {
		b.Run(c.name, func(b *testing.B) {
			g, root := c.make()
			d := dag.Collect(g, []graph.NodeID{root})
			for b.Loop() {
				dag.NewView(d)
			}
		})
	}
}

func BenchmarkFold(b *testing.B) {
	for _, c := range graphs {
		b.Run(c.name, func(b *testing.B) {
			g, root := c.make()
			v := dag.NewView(dag.Collect(g, []graph.NodeID{root}))
			for b.Loop() {
				v.UnfoldAll()
			}
		})
	}
}

// A window of 50 rows takes the same time whatever the size of the graph.
func BenchmarkWindow(b *testing.B) {
	for _, c := range graphs {
		b.Run(c.name, func(b *testing.B) {
			g, root := c.make()
			v := dag.NewView(dag.Collect(g, []graph.NodeID{root}))
			v.UnfoldAll()
			var cells []dag.Cell
			b.ReportAllocs()
			for b.Loop() {
				from := v.Rows() / 2
				places := v.Places(from, from+50)
				for i := from; i < from+50; i++ {
					r := v.Row(i)
					cells = r.Cells(cells[:0], places)
				}
			}
		})
	}
}

func BenchmarkTally(b *testing.B) {
	for _, c := range graphs {
		b.Run(c.name, func(b *testing.B) {
			g, root := c.make()
			d := dag.Collect(g, []graph.NodeID{root})
			for b.Loop() {
				d.Tally(0, d.Len(), 0)
			}
		})
	}
}

// A drawing of as many rows as are drawn.
func BenchmarkArrange(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	near := newSketch().lines("n0 = leaf\n")
	for i := 1; i < 2000; i++ {
		near.line(fmt.Sprintf("n%d = Op n%d n%d", i, i-1, max(i-1-r.IntN(30), 0)))
	}
	g, root := chain(666)
	for _, c := range []struct {
		name string
		d    *dag.Dag
	}{{"chain", dag.Collect(g, []graph.NodeID{root})}, {"near ones", near.dag("n1999")}} {
		b.Run(c.name, func(b *testing.B) {
			v := dag.NewView(c.d)
			v.UnfoldAll()
			for b.Loop() {
				if _, err := dag.Arrange(v, v.All(), true, func(int) int { return 20 }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
