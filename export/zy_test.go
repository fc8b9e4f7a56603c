package export_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/export/graphviz"
	"github.com/gradtui/gradtui/graph"
)

func deepnet(layers int) (*maker, value) {
	m := newMaker()
	x := m.leaf("input", 4, 8)
	for range layers {
		w, b := m.leaf("w", 8, 8), m.leaf("b", 8)
		wt := m.view("TBackward0", w, 8, 8)
		y := m.op("AddmmBackward0", []int{4, 8}, []value{b, x, wt}, keep{name: "mat1", v: x}, keep{name: "mat2", v: wt})
		y = m.op("ReluBackward0", []int{4, 8}, []value{y}, keep{name: "result", result: true})
		x = m.op("AddBackward0", []int{4, 8}, []value{x, y})
	}
	return m, x
}

func randomDAG(n int) (*maker, value) {
	m := newMaker()
	vs := []value{m.leaf("a", 1)}
	s := uint32(1)
	rnd := func(k int) int { s = s*1664525 + 1013904223; return int(s>>8) % k }
	for i := 1; i < n; i++ {
		a, b := max(0, i-1-rnd(30)), max(0, i-1-rnd(30))
		vs = append(vs, m.op("MulBackward0", []int{1}, []value{vs[a], vs[b]}))
	}
	return m, vs[n-1]
}

func TestZY(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(int) (*maker, value)
		ns   []int
	}{
		{"lstm", lstm, []int{5, 10, 12, 14, 16, 18}},
		{"net", deepnet, []int{50, 100, 200, 300}},
		{"chain", chain, []int{3000}},
		{"dag", randomDAG, []int{1000, 1500, 2000, 3000}},
	} {
		for _, n := range c.ns {
			m, v := c.make(n)
			g := m.graph(t)
			sel, _ := export.Select(g, &export.Options{Roots: []graph.TensorID{v.id}})
			for _, style := range []export.Style{export.Torchviz, export.Full} {
				start := time.Now()
				r, err := export.Write(context.Background(), io.Discard, g, export.SVG, export.Options{Style: style, MaxNodes: -1, Roots: []graph.TensorID{v.id}, Graphviz: graphviz.Options{Timeout: 60 * time.Second}})
				took := time.Since(start)
				if err != nil {
					t.Log(c.name, n, style, err)
					continue
				}
				t.Logf("%s %d %s: %d boxes %d arrows: %.2fs; spread %d", c.name, n, style, r.Drawn, r.DrawnEdges, took.Seconds(), export.Spread(sel))
			}
		}
	}
}
