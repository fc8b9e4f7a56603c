package inspect_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

func tapeOfExample(t testing.TB, name string) *graph.Tape {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	defer stop()
	e, _ := examples.Find(name)
	if err := e.Run(io.Discard); (err != nil) != e.Fails {
		t.Fatal(err)
	}
	return tape
}

func testDump(t *testing.T) {
	for _, e := range examples.All {
		if e.Name == "nbody" {
			continue
		}
		tape := tapeOfExample(t, e.Name)
		g := tape.CursorAt(tape.Len()).Graph()
		tr := inspect.NewTrace(tape)
		fmt.Println("=====", e.Name, tape.Len(), tr.Memory())
		for id := range g.NodeCount() {
			v, ok := tr.NodeAt(g, graph.NodeID(id+1))
			if !ok {
				t.Fatal()
			}
			fmt.Printf("n%d %s op=%s@%d\n", v.Node.ID, v.Node.Name, v.Op, v.OpAt)
			for _, r := range v.Runs {
				fmt.Printf("   run pass=%d flags=%v status=%v %d %d %d freed %d cap %v\n", r.Pass.ID, r.Pass.Flags, r.Status, r.Ready, r.Executed, r.Failed, r.Freed, r.Captured)
			}
			for i, in := range v.Inputs {
				fmt.Printf("   in %d of t%d used %v\n", i, in.Result, in.Used.Value.First)
				for _, a := range in.Arrivals {
					fmt.Printf("      from n%d.%d %v sum %v waiting %d\n", a.From, a.Edge, a.Grad.Value.First, a.Sum.Value.First, a.Waiting)
				}
			}
			for i, o := range v.Edges {
				fmt.Printf("   edge %d n%d %s fwd %v t%d %q %v back %v %d\n", i, o.Edge.Node, o.Target.Name, o.Forward.Known, o.Forward.Tensor, o.Forward.Name, o.Forward.Value.First, o.Back.Value.First, o.Sent)
			}
			for _, s := range v.Saved {
				fmt.Printf("   saved %s t%d %d/%d changed %d freed %d by %d\n", s.Name, s.Tensor, s.Version, s.Current, s.Changed, s.FreedAt, s.FreedBy)
			}
			for _, h := range v.Hooks {
				fmt.Printf("   hook %v\n", h)
			}
			if a := v.Accumulated; a != nil {
				fmt.Printf("   acc %v none=%v %v + %v = %v\n", a.How, a.None, a.Before.First, a.Added.Value.First, a.After.First)
			}
			for _, a := range v.Parts {
				fmt.Printf("   part %v %v none=%v %v + %v = %v\n", a.Kind, a.How, a.None, a.Before.First, a.Added.Value.First, a.After.First)
			}
			if v.Error != "" {
				fmt.Println("   ", v.Error)
			}
		}
	}
}
