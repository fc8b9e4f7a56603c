package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
)

// A ledger is what a scan of the events says about nodes, without the graph.
type ledger struct {
	nodes    map[graph.NodeID]*graph.NodeCreated
	counter  map[graph.TensorID]graph.CounterID
	version  map[graph.CounterID]uint32
	freed    map[graph.NodeID]graph.BackwardID
	passes   map[graph.BackwardID]string
	arrived  map[graph.NodeID]map[uint32][]*graph.GradArrived // of the newest pass
	newest   map[graph.NodeID]graph.BackwardID                // that reached a node
	executed map[graph.NodeID]graph.BackwardID                // the newest
	failed   map[graph.NodeID]graph.BackwardID
}

func newLedger() *ledger {
	return &ledger{
		map[graph.NodeID]*graph.NodeCreated{}, map[graph.TensorID]graph.CounterID{}, map[graph.CounterID]uint32{},
		map[graph.NodeID]graph.BackwardID{}, map[graph.BackwardID]string{}, map[graph.NodeID]map[uint32][]*graph.GradArrived{},
		map[graph.NodeID]graph.BackwardID{}, map[graph.NodeID]graph.BackwardID{}, map[graph.NodeID]graph.BackwardID{},
	}
}

func (l *ledger) take(e graph.Event) {
	switch e := e.(type) {
	case *graph.NodeCreated:
		l.nodes[e.Node] = e
	case *graph.TensorCreated:
		l.counter[e.Tensor] = e.Counter
		l.version[e.Counter] = e.Version
	case *graph.Mutated:
		l.version[l.counter[e.Tensor]] = e.To
	case *graph.BackwardBegan:
		l.passes[e.Backward] = fmt.Sprintf("backward #%d", e.Backward)
		if e.Flags&graph.GradOnly != 0 {
			l.passes[e.Backward] = fmt.Sprintf("autograd.grad #%d", e.Backward)
		}
	case *graph.SavedFreed:
		l.freed[e.Node] = e.Backward
	case *graph.GradArrived:
		if l.newest[e.Node] != e.Backward {
			l.newest[e.Node], l.arrived[e.Node] = e.Backward, map[uint32][]*graph.GradArrived{}
		}
		l.arrived[e.Node][e.Input] = append(l.arrived[e.Node][e.Input], e)
	case *graph.NodeReady:
		if l.newest[e.Node] != e.Backward {
			l.newest[e.Node], l.arrived[e.Node] = e.Backward, nil
		}
	case *graph.NodeExecuted:
		l.executed[e.Node] = e.Backward
	case *graph.BackwardFailed:
		l.failed[e.Node] = e.Backward
	}
}

// waiting is how many gradients a node waits for: fewer with each that arrives.
func (l *ledger) waiting(id graph.NodeID) (least uint32) {
	least = 1 << 31
	for _, arrivals := range l.arrived[id] {
		for _, a := range arrivals {
			least = min(least, a.Waiting)
		}
	}
	return least % (1 << 31)
}

// says is what must be told of a node, in order: the status, what it saved, sums of what
// came in, its edges.
func (l *ledger) says(id graph.NodeID, name func(graph.StringID) string, next graph.NodeID) (lines []string) {
	n, pass := l.nodes[id], l.newest[id]
	waiting := l.waiting(id)
	switch {
	case next == id:
		lines = append(lines, "about to run")
	case l.failed[id] != 0 && l.failed[id] == pass:
		lines = append(lines, "failed in "+l.passes[pass])
	case l.executed[id] != 0 && l.executed[id] == pass:
		lines = append(lines, "ran in "+l.passes[pass])
	case waiting > 0:
		lines = append(lines, "waiting for "+plural(int(waiting), "gradient")+" in "+l.passes[pass])
	case pass == 0:
		lines = append(lines, "not reached by ")
	}
	var none []string // which come behind what is there
	for _, s := range n.Saved {
		switch now := l.version[l.counter[s.Tensor]]; {
		case s.Tensor == 0:
			none = append(none, fmt.Sprintf("%s: None", name(s.Name)))
		case l.freed[id] != 0:
			lines = append(lines, fmt.Sprintf("∅ %s: ", name(s.Name)), "freed by "+l.passes[l.freed[id]])
		case now != s.Version && s.Flags&graph.SavedCopy == 0:
			lines = append(lines, fmt.Sprintf("✗ %s: ", name(s.Name)), fmt.Sprintf("saved at v%d, now v%d", s.Version, now), "modified in place")
		default:
			lines = append(lines, fmt.Sprintf("▪ %s: ", name(s.Name)))
		}
	}
	lines = append(lines, none...)
	for input := range n.Outputs {
		if arrivals := l.arrived[id][input]; len(arrivals) > 1 {
			lines = append(lines, fmt.Sprintf("%s the sum of %d contributions", gradText(arrivals[len(arrivals)-1].Sum), len(arrivals)))
		}
	}
	for i, e := range n.Edges {
		if e.Node == 0 {
			lines = append(lines, fmt.Sprintf("[%d] needs no gradient", i))
		} else {
			lines = append(lines, fmt.Sprintf("[%d] ", i), fmt.Sprintf(" n%d", e.Node))
		}
	}
	return lines
}

// The inspector agrees with the events about each node at each position.
func TestTheInspectorTellsWhatTheEventsSay(t *testing.T) {
	for name, tape := range smallTapes(t) {
		d, events, l := open(t, tape, 80, 24), eventsOf(t, tape), newLedger()
		for at := range tape.Len() + 1 {
			d.goTo(at, keep)
			next := nextByScan(events, at)
			for id := range l.nodes {
				w := &factWriter{s: &d.state, width: 60, unfolded: true}
				w.node(id)
				var told strings.Builder
				for _, f := range w.rows {
					told.WriteString(f.text() + "\n")
				}
				rest := told.String()
				for _, want := range l.says(id, tape.String, next) {
					_, after, ok := strings.Cut(rest, want)
					if !ok {
						t.Fatalf("%s, event %d, n%d: %q is missing, or in another place, in\n%s", name, at, id, want, told.String())
					}
					rest = after
				}
				if l.freed[id] == 0 && strings.Contains(told.String(), "freed") {
					t.Fatalf("%s, event %d, n%d: nothing was freed, told is\n%s", name, at, id, told.String())
				}
			}
			if at < tape.Len() {
				l.take(events[at])
			}
		}
	}
}

// Versions, gradients and values of tensors come from the newest events.
func TestTheInspectorTellsTheVersionsOfTensors(t *testing.T) {
	for name, tape := range smallTapes(t) {
		d, events, l := open(t, tape, 80, 24), eventsOf(t, tape), newLedger()
		grads := map[graph.TensorID]graph.Value{}
		for at := range tape.Len() + 1 {
			d.goTo(at, keep)
			for id, counter := range l.counter {
				w := &factWriter{s: &d.state, width: 60}
				w.tensor(id)
				told := w.rows[1].text()
				if want := fmt.Sprintf("version %d", l.version[counter]); !strings.Contains(told, want) {
					t.Fatalf("%s, event %d, t%d: %q, want %s", name, at, id, told, want)
				}
				if v, ok := grads[id]; ok {
					if want := ".grad    " + valueText(v); !strings.Contains(w.rows[4].text(), want) {
						t.Fatalf("%s, event %d, t%d: %q, want %s", name, at, id, w.rows[4].text(), want)
					}
				}
			}
			if at < tape.Len() {
				l.take(events[at])
				if e, ok := events[at].(*graph.GradAccumulated); ok {
					grads[e.Tensor] = e.Value
				}
			}
		}
	}
}

// PyTorch makes several nodes in one operation: the program has a tensor for one of them.
func TestTheInspectorSaysWhatResultsLookLikeThatTheProgramDoesNotHave(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	if err := tape.ReadText(strings.NewReader(`
+0s tensor-created tensor=1 storage=1 bytes=60 counter=1 dtype=float32 shape=[5,3] flags=requires_grad
+0s node-created node=1 name="AccumulateGrad" outputs=1 variable=1
+0s node-created node=2 name="TBackward0" outputs=1 edges=[(node=1)] results=[(dtype=float32 shape=[3,5])]
+0s node-created node=3 name="CloneBackward0" outputs=1 edges=[(node=2)]
+0s node-created node=4 name="MmBackward0" outputs=1 edges=[(node=2),(node=3)]
+0s tensor-created tensor=2 storage=2 bytes=80 counter=2 dtype=float32 shape=[4,5] node=4
+0s op-ran op="linear" inputs=[1] outputs=[2] node=4
`)); err != nil {
		t.Fatal(err)
	}
	d := open(t, tape, 80, 24)
	d.goTo(tape.Len(), keep)
	for id, want := range map[graph.NodeID]string{
		2: "  [0] [3, 5] float32, for which the program has no tensor",
		3: "its result was not recorded; the first gradient will show its shape",
		4: "forward · [3, 5] float32, for which the program has no tensor\n      back    ○ not sent yet\n" +
			"  [1] CloneBackward0 n3\n      forward · not recorded: the program has no tensor for it",
	} {
		w := &factWriter{s: &d.state, width: 60}
		w.node(id)
		var told strings.Builder
		for _, f := range w.rows {
			told.WriteString(f.text() + "\n")
		}
		if !strings.Contains(told.String(), want) {
			t.Errorf("n%d: %q is missing in\n%s", id, want, told.String())
		}
	}
	n, _ := d.graph().Node(2)
	if row, want := d.panes.graph.nodeText(&d.state, n, statusMarks[markIdle], 1).text(), "TBackward0 [3, 5]"; !strings.HasPrefix(row, want) {
		t.Errorf("the row is %q, not %q", row, want)
	}
}

// A parameter whose module moves to a GPU, and a tensor that is there from the beginning.
func TestTheInspectorSaysOnWhichDeviceATensorIs(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	if err := tape.ReadText(strings.NewReader(`
+0s tensor-created tensor=1 storage=1 bytes=12 counter=1 dtype=float32 shape=[3] flags=requires_grad|parameter
+0s name-bound name="p" tensor=1
+0s tensor-created tensor=2 storage=2 bytes=8 counter=2 dtype=float32 shape=[2] device="cuda:1\t"
+0s reshaped tensor=1 storage=3 bytes=12 dtype=float32 shape=[3] device="cuda:0"
`)); err != nil {
		t.Fatal(err)
	}
	d := open(t, tape, 80, 24)
	for _, c := range []struct {
		at   graph.Pos
		id   graph.TensorID
		want string
	}{
		{3, 1, "p  t1 [3] float32 · leaf"},
		{4, 1, "p  t1 [3] float32 cuda:0 · leaf"},
		{4, 1, "layout changed: float32 of shape [3] on cuda:0"},
		{4, 2, "t2  t2 [2] float32 cuda:1 · leaf"},
		{4, 2, "made by the program: float32 of shape [2] on cuda:1"},
	} {
		d.goTo(c.at, keep)
		w := &factWriter{s: &d.state, width: 60}
		w.tensor(c.id)
		var told strings.Builder
		for _, f := range w.rows {
			told.WriteString(f.text() + "\n")
		}
		if !strings.Contains(told.String(), c.want) {
			t.Errorf("event %d, t%d: %q is missing in\n%s", c.at, c.id, c.want, told.String())
		}
	}
	d.chooseTensor(2)
	if got, want := d.selectionWords(d.chosen), "tensor t2, float32 [2] cuda:1"; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What a node keeps is shown as its operator was given it, and what seldom matters is folded.
func TestTheInspectorFoldsDetails(t *testing.T) {
	tape := graph.NewTape(graph.Limits{})
	attr := func(name string, kind graph.AttrType, ints ...int64) graph.Attr {
		return graph.Attr{Name: tape.InternString(name), AttrValue: graph.AttrValue{Type: kind, Ints: ints}}
	}
	add(tape, 0, &graph.NodeCreated{Node: 1, Name: tape.InternString("SoftmaxBackward0"), Outputs: 1, Attrs: []graph.Attr{
		attr("dim", graph.AttrUint, -1), attr("alpha", graph.AttrInt, 1), attr("beta", graph.AttrInt, 2), attr("self_sym_sizes", graph.AttrInts, 4, 2),
	}})
	d := open(t, tape, 120, 40)
	d.chooseNode(1)
	shows := func(text string, want bool) {
		t.Helper()
		if got := strings.Contains(d.Pane(inspectorPane), text); got != want {
			t.Errorf("%q is shown: %v\n%s", text, got, d.Pane(inspectorPane))
		}
	}
	shows("dim = -1", true)
	shows("beta = 2", true)
	shows("alpha = 1", false)
	v := d.panes.all[inspectorPane].(*inspectorView)
	d.Press("3")
	v.chosen = slices.IndexFunc(v.rows, func(f fact) bool { return f.details })
	d.Press("enter")
	shows("alpha = 1", true)
	shows("self_sym_sizes = (4, 2)", true)
	d.Press("enter")
	shows("alpha = 1", false)
}
