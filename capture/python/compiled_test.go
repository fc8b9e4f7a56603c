package python_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
)

// compiledProgram computes a NaN inside its graphs, which makes a finding where it is seen, and
// the same without compilation.
const compiledProgram = `
import torch

def f(w, x):
    y = torch.where(x > 0, (x * w).sqrt(), w * 0)
    return y.sum(), y * 2

def run(g):
    w, x = torch.ones(3, requires_grad=True), torch.tensor([1.0, 2.0, 3.0])
    for i in range(2):
        a, b = g(w, x)
        (a + b.sum()).backward()
    with torch.no_grad():
        g(w, x)

if hasattr(torch, "compile"):
    run(torch.compile(f, backend="eager"))
    torch._dynamo.reset()
    run(torch.compile(f, backend="aot_eager"))
`

// TestACompiledGraphIsOneOperation is about torch.compile: what the compiler does is not on
// the tape, nor is what happens inside a graph, forward and backward. The results of a graph
// have the nodes that PyTorch gave them.
func TestACompiledGraphIsOneOperation(t *testing.T) {
	eachRelease(t, func(t *testing.T, r *release) {
		if r.version == oldest {
			t.Skip("it has no torch.compile")
		}
		tape, _ := r.recordSource(t, compiledProgram)
		g := tape.CursorAt(graph.Pos(tape.Len())).Graph()
		var got []string
		eachEvent(tape, func(e graph.Event) {
			switch e := e.(type) {
			case *graph.OpRan:
				line := tape.String(e.Op)
				if line == "compiled" {
					line += " " + e.Attrs[0].Text
				}
				for _, id := range e.Outputs {
					x, _ := g.Tensor(id)
					if n, ok := g.Node(x.Node); ok {
						line += " " + n.Name
					}
				}
				got = append(got, line)
			case *graph.BackwardBegan:
				got = append(got, "backward")
			}
		})
		var want []string
		for _, ran := range [][2]string{{"eager", "SumBackward0 MulBackward0"}, {"aot_eager", "CompiledFunctionBackward CompiledFunctionBackward"}} {
			pass := []string{"compiled " + ran[0] + " " + ran[1], "sum SumBackward0", "add AddBackward0", "backward"}
			want = slices.Concat(want, []string{"ones"}, pass, pass, []string{"compiled " + ran[0]})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if found := findingsOf(tape); found != nil {
			t.Error(found)
		}
	})
}
