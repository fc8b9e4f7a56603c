package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
)

// at is the graph at the end of a tape in text form.
func at(t *testing.T, tape string) *graph.Graph {
	t.Helper()
	tp := graph.NewTape(graph.Limits{})
	if err := tp.ReadText(strings.NewReader(tape)); err != nil {
		t.Fatal(err)
	}
	for _, p := range graph.Validate(tp, 5) {
		t.Error(p)
	}
	return tp.CursorAt(tp.Len()).Graph()
}

const twoLeaves = `
+0s tensor-created tensor=1 storage=1 bytes=8 counter=1 dtype=float32 shape=[2] flags=requires_grad value=(dtype=float32 count=2 whole=true first=[1,2])
+0s tensor-created tensor=2 storage=2 bytes=8 counter=2 dtype=float32 shape=[2]
+0s node-created node=1 name="AccumulateGrad" outputs=1 variable=1
+0s node-created node=2 name="MulBackward0" outputs=1 edges=[(node=1),()] saved=[(name="self" tensor=1),(name="other" tensor=2),(name="result" tensor=3 version=1 flags=output)]
`

func TestASavedTensorThatWasChangedIsModified(t *testing.T) {
	modified := func(tape string) (names []string) {
		n, ok := at(t, twoLeaves+tape).Node(2)
		if !ok {
			t.Fatal("no node")
		}
		for _, s := range n.Saved {
			if s.Modified() {
				names = append(names, s.Name)
			}
		}
		return names
	}
	result := "+0s tensor-created tensor=3 storage=3 counter=3 version=1 node=2\n"
	for _, c := range []struct {
		name, tape string
		want       []string
	}{
		{"at first", "", nil}, // the result does not exist yet
		{"with a result", result, nil},
		{"through a view", result + "+0s tensor-created tensor=4 storage=2 counter=2 base=2 view=plain\n+0s mutated tensor=4 to=1\n", []string{"other"}},
		{"all", result + "+0s mutated tensor=1 to=1\n+0s mutated tensor=2 to=2\n+0s mutated tensor=3 from=1 to=2\n", []string{"self", "other", "result"}},
		{"but freed", result + "+0s mutated tensor=1 to=1\n+0s backward-began backward=1\n+0s node-ready backward=1 node=2\n+0s node-executed backward=1 node=2\n+0s saved-freed backward=1 node=2\n", nil},
	} {
		if got := modified(c.tape); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestANodePassesThroughItsStatuses(t *testing.T) {
	tape := twoLeaves + "+0s tensor-created tensor=3 storage=3 counter=3 version=1 node=2\n"
	for _, step := range []struct {
		event    string
		status   graph.Status
		backward graph.BackwardID
		waiting  int
		runs     int
	}{
		{"backward-began backward=1", graph.Idle, 0, 0, 0},
		{"grad-arrived backward=1 node=1 from=2 waiting=2", graph.Waiting, 1, 2, 0},
		{"node-ready backward=1 node=1", graph.Ready, 1, 0, 0},
		{"node-executed backward=1 node=1", graph.Done, 1, 0, 1},
		{"saved-freed backward=1 node=1", graph.Done, 1, 0, 1},
		{"backward-ended backward=1", graph.Done, 1, 0, 1},
		{"backward-began backward=2", graph.Done, 1, 0, 1},
		{"grad-arrived backward=2 node=1 waiting=1", graph.Waiting, 2, 1, 1},
		{"backward-began t1 backward=3", graph.Waiting, 2, 1, 1},
		{"node-ready t1 backward=3 node=1", graph.Ready, 3, 0, 1},
		{"node-ready backward=2 node=1", graph.Ready, 2, 0, 1},
		{"node-executed t1 backward=3 node=1", graph.Done, 3, 0, 2},
		{"backward-failed backward=2 node=1 type=\"RuntimeError\"", graph.Failed, 2, 0, 2},
		{"backward-began backward=4", graph.Failed, 2, 0, 2},
		{"node-ready backward=4 node=1", graph.Ready, 4, 0, 2},
	} {
		tape += "+0s " + step.event + "\n"
		n, _ := at(t, tape).Node(1)
		if n.Status != step.status || n.Backward != step.backward || n.Waiting != step.waiting || n.Runs != step.runs {
			t.Errorf("after %s: %s in %d, waits for %d, ran %d times", step.event, n.Status, n.Backward, n.Waiting, n.Runs)
		}
	}
}

func TestPassesNest(t *testing.T) {
	g := at(t, `
+0s backward-began backward=1
+0s backward-began backward=2 flags=create_graph|grad
+0s backward-began t1 backward=3
+0s backward-ended t1 backward=2
+0s backward-began backward=4
+0s backward-failed backward=1
+0s backward-ended backward=4
+0s backward-began backward=5
`)
	outer := []graph.BackwardID{0, 1, 0, 1, 0}
	running := []bool{false, false, true, false, true}
	if g.BackwardCount() != 5 {
		t.Fatal(g.BackwardCount())
	}
	for i := range outer {
		b, ok := g.Backward(graph.BackwardID(i + 1))
		if !ok || b.Outer != outer[i] || b.Running() != running[i] || b.Failed != (i == 0) {
			t.Errorf("%+v", b)
		}
	}
}

func TestRequiresGradFollowsPyTorch(t *testing.T) {
	g := at(t, twoLeaves+`
+0s tensor-created tensor=3 storage=3 counter=3 version=1 node=2
+0s tensor-created tensor=4 storage=1 counter=1 base=1 view=no_grad
+0s tensor-created tensor=5 storage=2 counter=2 base=2 view=plain
+0s requires-grad tensor=2 to=true
+0s requires-grad tensor=2
`)
	for id, want := range map[graph.TensorID]bool{1: true, 2: false, 3: true, 4: true, 5: false, 6: false} {
		if got := g.RequiresGrad(id); got != want {
			t.Errorf("tensor %d: %t", id, got)
		}
		tn, ok := g.Tensor(id)
		if ok != (id < 6) || ok && tn.Leaf() != (id != 3) {
			t.Errorf("tensor %d: leaf %t", id, tn.Leaf())
		}
	}
}

func TestAValueIsStaleWhenItsMemoryChangedElsewhere(t *testing.T) {
	for _, c := range []struct {
		tape  string
		first float64
		stale bool
	}{
		{"", 1, false},
		{"+0s mutated tensor=1 to=1\n", 1, true},
		{"+0s mutated tensor=1 to=1 value=(dtype=float32 count=2 whole=true first=[7,8])\n", 7, false},
		{"+0s tensor-created tensor=3 storage=1 counter=1 base=1\n+0s mutated tensor=3 to=1 value=(dtype=float32 count=1 whole=true first=[9])\n", 1, true},
	} {
		tn, _ := at(t, twoLeaves+c.tape).Tensor(1)
		if tn.ValueStale != c.stale || tn.Value.First[0] != c.first {
			t.Errorf("%q: %v, stale %t", c.tape, tn.Value.First, tn.ValueStale)
		}
	}
}

func TestStoragesCountTheTensorsThatUseThem(t *testing.T) {
	g := at(t, twoLeaves+`
+0s tensor-created tensor=3 storage=1 counter=1 base=1
+0s tensor-created tensor=4 storage=1 counter=1 base=1
+0s tensor-released tensor=1
+0s tensor-released tensor=2
`)
	for id, want := range map[graph.StorageID]int{1: 2, 2: 0, 3: 0} {
		if _, live := g.Storage(id); live != want {
			t.Errorf("storage %d: %d live", id, live)
		}
	}
	if bytes, _ := g.Storage(1); bytes != 8 {
		t.Error(bytes)
	}
}

func TestNodesBelongToTheModuleThatIsRunning(t *testing.T) {
	g := at(t, `
+0s module-entered path="" type="Net"
+0s node-created node=1
+0s module-entered path="fc" type="Linear"
+0s node-created t1 node=2
+0s node-created node=3
+0s module-left
+0s node-created node=4
+0s module-left
+0s node-created node=5
`)
	for id, want := range map[graph.NodeID]graph.ModuleID{1: 1, 2: 0, 3: 2, 4: 1, 5: 0} {
		if n, _ := g.Node(id); n.Module != want {
			t.Errorf("node %d in module %d, want %d", id, n.Module, want)
		}
	}
	want := graph.Module{ID: 2, Path: "fc", Type: "Linear", Outer: 1, Entered: 2, Left: 5}
	if m, ok := g.Module(2); !ok || m != want {
		t.Errorf("%+v", m)
	}
}

func TestLookupFindsTheNewestMeaningOfAName(t *testing.T) {
	g := at(t, twoLeaves+`
+0s name-bound name="w" tensor=1
+0s name-bound name="w" scope="train" tensor=2
+0s name-bound name="x" scope="train" tensor=2
+0s name-bound name="x" scope="train"
+0s name-bound name="y" tensor=2
`)
	for name, want := range map[string]graph.TensorID{"w": 2, "train.w": 2, "y": 2, "x": 0, "train.x": 0, "z": 0} {
		if got, ok := g.Lookup(name); got != want || ok != (want != 0) {
			t.Errorf("%s: %d, %t", name, got, ok)
		}
	}
	want := []graph.Binding{{Name: "w", Tensor: 1}, {Scope: "train", Name: "w", Tensor: 2}, {Name: "y", Tensor: 2}}
	if diff := cmp.Diff(want, slices.Collect(g.Bindings())); diff != "" {
		t.Error(diff)
	}
	if tn, _ := g.Tensor(2); tn.Name != "y" {
		t.Error(tn.Name)
	}
}

func TestModesBelongToThreads(t *testing.T) {
	g := at(t, `
+0s mode-changed mode=grad
+0s mode-changed t2 mode=anomaly to=true
+0s mode-changed t3 mode=grad
+0s mode-changed t3 mode=grad to=true
`)
	for _, c := range []struct {
		thread graph.ThreadID
		mode   graph.Mode
		want   bool
	}{
		{0, graph.GradMode, false}, {0, graph.AnomalyMode, false}, {1, graph.GradMode, true},
		{2, graph.GradMode, true}, {2, graph.AnomalyMode, true}, {2, graph.InferenceMode, false}, {3, graph.GradMode, true},
	} {
		if got := g.ModeOn(c.thread, c.mode); got != c.want {
			t.Errorf("%s in thread %d: %t", c.mode, c.thread, got)
		}
	}
}

func TestValuesReadAsPythonWritesThem(t *testing.T) {
	for _, c := range []struct {
		v    graph.AttrValue
		want string
	}{
		{graph.AttrValue{}, "None"},
		{graph.AttrValue{Type: graph.AttrBool, Ints: []int64{1}}, "True"},
		{graph.AttrValue{Type: graph.AttrBool}, "False"},
		{graph.AttrValue{Type: graph.AttrInt, Ints: []int64{-1}}, "-1"},
		{graph.AttrValue{Type: graph.AttrUint, Ints: []int64{-1}}, "18446744073709551615"},
		{graph.AttrValue{Type: graph.AttrInts, Ints: []int64{3}}, "(3,)"},
		{graph.AttrValue{Type: graph.AttrInts}, "()"},
		{graph.AttrValue{Type: graph.AttrFloats, Floats: []float64{1, 1e-5, 1e16, 1e15, 0.1}}, "(1.0, 1e-05, 1e+16, 1000000000000000.0, 0.1)"},
		{graph.AttrValue{Type: graph.AttrText, Text: `it's \`}, `'it\'s \\'`},
	} {
		if got := c.v.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
