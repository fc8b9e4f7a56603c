package python_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
)

// recordSource records a program on this release of PyTorch, in a folder of its own.
func (r *release) recordSource(t *testing.T, source string) (tape *graph.Tape, folder string) {
	t.Helper()
	folder = t.TempDir()
	program := filepath.Join(folder, "program.py")
	if err := os.WriteFile(program, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return keptTape(t, r.compared(t, []string{program})[0].Kept), folder
}

const autocast = `
import torch
net = torch.nn.Linear(2, 2)
x = torch.ones(3, 2)
with torch.autocast("cpu", dtype=torch.bfloat16):
    y = net(x)
    z = net(y)
    with torch.autocast("cpu", enabled=False):
        w = net(x)
    y.sum().backward(retain_graph=True)
    z.sum().backward()
w.sum().backward()
with torch.autograd.set_detect_anomaly(True):
    y = net(x)
`

// TestAutocastIsOnTheTape is about the regions, and about the casts that C++ makes in them:
// the second use of a parameter in a region shares the node of the first.
func TestAutocastIsOnTheTape(t *testing.T) {
	eachRelease(t, func(t *testing.T, r *release) {
		tape, _ := r.recordSource(t, autocast)
		var modes, nodes []string
		eachEvent(tape, func(e graph.Event) {
			switch e := e.(type) {
			case *graph.ModeChanged:
				if e.Mode != graph.GradMode {
					modes = append(modes, e.Mode.String()+map[bool]string{true: " on", false: " off"}[e.To])
				}
			case *graph.NodeCreated:
				edges := []string{tape.String(e.Name)}
				for _, to := range e.Edges {
					n, _ := tape.CursorAt(graph.Pos(tape.Len())).Graph().Node(to.Node)
					edges = append(edges, n.Name)
				}
				nodes = append(nodes, strings.Join(edges, " "))
			}
		})
		if diff := cmp.Diff([]string{"autocast on", "autocast off", "autocast on", "autocast off", "anomaly on", "anomaly off"}, modes); diff != "" {
			t.Errorf("modes (-want +got):\n%s", diff)
		}
		leaf, cast := "ToCopyBackward0 AccumulateGrad", "ToCopyBackward0"
		want := []string{
			"AccumulateGrad", "AccumulateGrad", leaf, leaf, "TBackward0 " + cast, "AddmmBackward0 " + cast + "  TBackward0",
			"TBackward0 " + cast, "AddmmBackward0 " + cast + " AddmmBackward0 TBackward0",
			"TBackward0 AccumulateGrad", "AddmmBackward0 AccumulateGrad  TBackward0",
		}
		if diff := cmp.Diff(want, nodes[:min(len(want), len(nodes))]); diff != "" {
			t.Errorf("nodes (-want +got):\n%s", diff)
		}
		if found := findingsOf(tape); found != nil {
			t.Error(found)
		}
	})
}

const scaled = `
import torch
make = getattr(torch.amp, "GradScaler", None)
net = torch.nn.Sequential(torch.nn.Linear(10, 10), torch.nn.ReLU(), torch.nn.Linear(10, 1))
optimizer = torch.optim.SGD(net.parameters(), 0.1)
scaler = make("cpu") if make else torch.cuda.amp.GradScaler(enabled=False)
for i in range(6):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = net(torch.ones(3, 10)).pow(2).mean()
    if make and i % 3 == 1:
        loss = loss * float("inf")
    scaler.scale(loss).backward()
    if i % 2:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
`

// TestAStepThatAScalerSkipsIsNoFinding is about gradients that are infinite since the loss
// was scaled too much, which the scaler notices.
func TestAStepThatAScalerSkipsIsNoFinding(t *testing.T) {
	eachRelease(t, func(t *testing.T, r *release) {
		tape, _ := r.recordSource(t, scaled)
		steps, infinite := 0, 0
		eachEvent(tape, func(e graph.Event) {
			switch e := e.(type) {
			case *graph.OptimizerStepped:
				if e.Done {
					steps++
				}
			case *graph.GradAccumulated:
				if !e.Value.Finite() {
					infinite++
				}
			}
		})
		if want := map[bool]int{true: 6, false: 4}[r.version == oldest]; steps != want || (infinite == 0) != (want == 6) {
			t.Errorf("%d steps, %d gradients that are not finite", steps, infinite)
		}
		if found := findingsOf(tape); found != nil {
			t.Error(found)
		}
	})
}
