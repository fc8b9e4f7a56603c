package export_test

import (
	"context"
	"fmt"
	"os"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/export"
	"github.com/gradtui/gradtui/graph"
)

// The graph of a loss as text. What was folded, if anything, is in the report.
func Example() {
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	w := autograd.New([]float64{1, 2}, autograd.RequiresGrad).SetName("w")
	w.Pow(2).Sum().SetName("loss")
	stop()

	g := tape.CursorAt(tape.Len()).Graph()
	report, err := export.Write(context.Background(), os.Stdout, g, export.Text, export.Options{RootNames: []string{"loss"}, Width: 44})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(report)
	// Output:
	// ◆ loss · output · () float32
	// ● SumBackward0 n3 · example_test.go:18 in e…
	// ● PowBackward0 n2 → t2 (2) float32 · exampl…
	// │   saved self: w (2) float32 · v0
	// ○ w · (2) float32 · leaf · no .grad · Accum…
	// 3 nodes (1 leaf node), 2 edges
}
