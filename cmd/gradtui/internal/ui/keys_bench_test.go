package ui

import (
	"fmt"
	"testing"

	ag "github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture"
	"github.com/gradtui/gradtui/graph"
)

// BenchmarkKey is a key and the frame that answers it, on chains of ten nodes and of
// a hundred thousand: it takes the same time, also beside a pinned moment.
func BenchmarkKey(b *testing.B) {
	for _, nodes := range []int{10, 100_000} {
		tape := graph.NewTape(graph.Limits{})
		err := capture.Local(tape, nil, nil, func() error {
			y := ag.New([]float64{1, 2, 3, 4}, ag.RequiresGrad)
			for range nodes - 1 {
				y = y.Mul(1.0001)
			}
			loss := y.Sum()
			return loss.Backward()
		})
		if err != nil {
			b.Fatal(err)
		}
		d := open(b, tape, 120, 40)
		for _, pinned := range []string{"", " pinned"} {
			if pinned != "" {
				d.Press("P", "N", "N", "N")
			}
			benchmarkKeys(b, d, fmt.Sprintf("%d%s", nodes, pinned))
		}
	}
}

func benchmarkKeys(b *testing.B, d *driver, where string) {
	for _, keys := range [][]string{{"down", "up"}, {"tab"}, {"N", "n"}, {"S", "s"}, {"L", "l"}} {
		b.Run(keys[0]+"/"+where, func(b *testing.B) {
			i := 0
			for b.Loop() {
				d.Press(keys[i%len(keys)])
				d.View()
				i++
			}
		})
	}
}
