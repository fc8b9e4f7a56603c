package lookup_test

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/lookup"
	"github.com/gradtui/gradtui/internal/testing/tapetest"
)

// exampleTape records one of the built-in programs.
func exampleTape(t testing.TB, name string) *graph.Tape {
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

// smallExamples are those with short tapes.
var smallExamples = []string{"lesson", "inplace", "second-backward", "local-rule", "custom"}

// anyProgram checks a law on tapes of the built-in programs and of drawn ones.
func anyProgram(t *testing.T, law func(t *rapid.T, tape *graph.Tape)) {
	var recorded []*graph.Tape
	for _, name := range smallExamples {
		recorded = append(recorded, exampleTape(t, name))
	}
	rapid.Check(t, func(t *rapid.T) {
		if i := rapid.IntRange(0, 2*len(recorded)).Draw(t, "program"); i < len(recorded) {
			law(t, recorded[i])
		} else {
			law(t, drawnTape(t))
		}
	})
}

// anyTape checks a law on such tapes, and on those that another engine might record.
func anyTape(t *testing.T, law func(t *rapid.T, tape *graph.Tape)) {
	t.Run("programs", func(t *testing.T) { anyProgram(t, law) })
	t.Run("drawn events", rapid.MakeCheck(func(t *rapid.T) { law(t, tapetest.WellFormed(t)) }))
}

// drawnTape records a program that is put together from what programs do with tensors
// and gradients.
func drawnTape(t *rapid.T) *graph.Tape {
	tape := graph.NewTape(graph.Limits{})
	_, stop := autograd.Record(tape)
	defer stop()
	leaves := []*autograd.Tensor{
		autograd.New([]float64{1, 2}, autograd.RequiresGrad).SetName("w"),
		autograd.New([]float64{0.5}, autograd.RequiresGrad).SetName("b"),
	}
	values := append([]*autograd.Tensor{autograd.New([]float64{3, 4})}, leaves...)
	pick := func(what string) *autograd.Tensor { return rapid.SampledFrom(values).Draw(t, what) }
	for range rapid.IntRange(1, 25).Draw(t, "actions") {
		x, y := pick("x"), pick("y")
		switch rapid.SampledFrom([]string{"mul", "add", "where", "exp", "view", "in place", "hook", "retain", "backward", "backward", "grad", "update", "zero", "clip"}).Draw(t, "action") {
		case "mul":
			values = append(values, x.Mul(y))
		case "add":
			values = append(values, x.Add(y))
		case "where":
			values = append(values, autograd.Where(x.Gt(1), x, y))
		case "exp":
			values = append(values, x.Exp())
		case "view":
			values = append(values, x.Narrow(0, 0, 1))
		case "in place":
			x.Mul_(2) // an error for a leaf, which is an event too
		case "hook":
			x.RegisterHook(func(g *autograd.Tensor) *autograd.Tensor { return g.Mul(2) })
		case "retain":
			x.RetainGrad()
		case "backward":
			var o []autograd.Option
			if rapid.Bool().Draw(t, "retain_graph") {
				o = append(o, autograd.RetainGraph)
			}
			if rapid.IntRange(0, 3).Draw(t, "two roots") == 0 {
				autograd.BackwardAll([]*autograd.Tensor{x.Sum(), y.Sum()}, nil, o...)
			} else {
				x.Mul(y).Sum().Backward(o...)
			}
		case "grad":
			autograd.Grad([]*autograd.Tensor{x.Mul(y).Sum()}, []*autograd.Tensor{leaves[0]}, autograd.CreateGraph, autograd.AllowUnused)
		case "update":
			autograd.NoGrad(func() { leaves[0].Sub_(0.25) })
		case "zero":
			if rapid.Bool().Draw(t, "to None") {
				leaves[0].SetGrad(nil)
			} else if g := leaves[0].Grad(); g != nil {
				autograd.NoGrad(func() { g.Zero_() })
			}
		case "clip":
			if g := leaves[0].Grad(); g != nil {
				autograd.NoGrad(func() { g.Mul_(0.5) })
			}
		}
	}
	return tape
}

// A mention is what an event is about, found by looking at the types of its fields.
func mention(e graph.Event) (nodes []graph.NodeID, tensors []graph.TensorID) {
	v := reflect.ValueOf(e).Elem()
	if v.Kind() != reflect.Struct || e.Kind() == graph.KindModuleParameters {
		return nil, nil
	}
	for i := range v.NumField() {
		if node, ok := v.Field(i).Interface().(graph.NodeID); ok && v.Type().Field(i).Name == "Node" {
			nodes = append(nodes, node)
		}
	}
	switch e := e.(type) {
	case *graph.TensorCreated:
		return nil, []graph.TensorID{e.Tensor}
	case *graph.Rebased:
		return nil, []graph.TensorID{e.Tensor}
	}
	var collect func(v reflect.Value)
	collect = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				collect(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				collect(v.Index(i))
			}
		case reflect.Uint32:
			if id, ok := v.Interface().(graph.TensorID); ok {
				tensors = append(tensors, id)
			}
		}
	}
	collect(v)
	return nodes, tensors
}

func TestATraceListsTheEventsThatNameANodeOrATensor(t *testing.T) {
	anyTape(t, func(t *rapid.T, tape *graph.Tape) {
		nodes, tensors := map[graph.NodeID][]graph.Pos{}, map[graph.TensorID][]graph.Pos{}
		counters := map[graph.TensorID]graph.CounterID{}
		for p := range tape.Len() {
			_, e, err := tape.At(p)
			if err != nil {
				t.Fatal(err)
			}
			n, ids := mention(e)
			switch e := e.(type) {
			case *graph.TensorCreated:
				counters[e.Tensor] = e.Counter
			case *graph.Mutated:
				for id, c := range counters {
					if c == counters[e.Tensor] && id != e.Tensor {
						ids = append(ids, id)
					}
				}
			}
			slices.Sort(ids)
			for _, id := range n {
				nodes[id] = append(nodes[id], p)
			}
			for _, id := range slices.Compact(ids) {
				tensors[id] = append(tensors[id], p)
			}
		}
		tr := lookup.NewIndex(tape)
		for tr.Pos() < tape.Len() {
			tr.Extend(tr.Pos() + graph.Pos(rapid.IntRange(1, 200).Draw(t, "slice")))
		}
		delete(nodes, 0)
		delete(tensors, 0)
		for id, want := range nodes {
			if diff := cmp.Diff(want, tr.Node(id)); diff != "" {
				t.Errorf("n%d:\n%s", id, diff)
			}
		}
		for id, want := range tensors {
			if diff := cmp.Diff(want, tr.Tensor(id)); diff != "" {
				t.Errorf("t%d:\n%s", id, diff)
			}
		}
	})
}

// A scan is what a node did in a backward pass, found by looking at all events.
type scan struct {
	status   graph.Status
	arrivals []string // with sums
	back     []string
	freed    bool
}

// scanned folds the first events of a tape. A gradient arrives where an event says so, or
// else when its receiver is ready.
func scanned(tape *graph.Tape, end graph.Pos) map[graph.BackwardID]map[graph.NodeID]*scan {
	passes := map[graph.BackwardID]map[graph.NodeID]*scan{}
	type way struct {
		pass graph.BackwardID
		node graph.NodeID
	}
	sent := map[way][]string{} // gradients on their way
	edges := map[graph.NodeID][]graph.Edge{}
	at := func(pass graph.BackwardID, id graph.NodeID) *scan {
		if passes[pass][id] == nil {
			passes[pass][id] = &scan{}
		}
		return passes[pass][id]
	}
	for p := range end {
		_, e, _ := tape.At(p)
		switch e := e.(type) {
		case *graph.NodeCreated:
			edges[e.Node] = e.Edges
		case *graph.BackwardBegan:
			passes[e.Backward] = map[graph.NodeID]*scan{}
			for i, r := range e.Roots {
				w := way{e.Backward, r.Node}
				sent[w] = append(sent[w], fmt.Sprint(r.Output, 0, i, r.Grad.Value, r.Grad.Value))
			}
		case *graph.GradArrived:
			s := at(e.Backward, e.Node)
			s.status = graph.Waiting
			s.arrivals = append(s.arrivals, fmt.Sprint(e.Input, e.From, e.Index, e.Grad.Value, e.Sum.Value))
		case *graph.NodeReady:
			s := at(e.Backward, e.Node)
			s.status = graph.Ready
			if len(s.arrivals) == 0 {
				s.arrivals = sent[way{e.Backward, e.Node}]
			}
		case *graph.NodeExecuted:
			s := at(e.Backward, e.Node)
			s.status = graph.Done
			for i, g := range e.Out {
				s.back = append(s.back, fmt.Sprint(g.Value))
				to := edges[e.Node][i]
				w := way{e.Backward, to.Node}
				sent[w] = append(sent[w], fmt.Sprint(to.Input, e.Node, i, g.Value, g.Value))
			}
		case *graph.SavedFreed:
			at(e.Backward, e.Node).freed = true
		case *graph.BackwardFailed:
			if e.Node != 0 {
				at(e.Backward, e.Node).status = graph.Failed
			}
		}
	}
	return passes
}

func viewed(v *lookup.NodeView) *scan {
	s := &scan{status: v.Run.Status, freed: v.Run.Freed >= 0}
	for i, in := range v.Inputs {
		for _, a := range in.Arrivals {
			s.arrivals = append(s.arrivals, fmt.Sprint(i, a.From, a.Edge, a.Grad.Value, a.Sum.Value))
		}
	}
	for _, o := range v.Edges {
		if o.Sent >= 0 {
			s.back = append(s.back, fmt.Sprint(o.Back.Value))
		}
	}
	return s
}

func TestANodeLooksAsAScanOfAllEventsSaysAtEveryPosition(t *testing.T) {
	anyTape(t, func(t *rapid.T, tape *graph.Tape) {
		p := graph.Pos(rapid.IntRange(0, int(tape.Len())).Draw(t, "position"))
		g := tape.CursorAt(p).Graph()
		tr := lookup.NewIndex(tape)
		if rapid.Bool().Draw(t, "trace is ahead") {
			tr.Extend(tape.Len())
		}
		want := scanned(tape, p)
		for id := range graph.NodeID(g.NodeCount() + 1) {
			v, ok := tr.NodeAt(g, id)
			if ok != (id > 0) {
				t.Fatalf("n%d: %v", id, ok)
			}
			if !ok {
				continue
			}
			// A node that waits for nothing more and is not in the queue yet.
			arrived := v.Run != nil && v.Run.Status == graph.Waiting && v.Node.Waiting == 0
			if v.Run != nil && v.Run.Status != v.Node.Status && !arrived {
				t.Fatalf("n%d is %v, and %v in the graph", id, v.Run.Status, v.Node.Status)
			}
			passes := 0
			for pass, nodes := range want {
				if nodes[id] == nil {
					continue
				}
				passes++
				in, _ := tr.NodeIn(g, id, pass)
				if in.Run == nil || in.Run.Pass.ID != pass {
					t.Fatalf("n%d has no run in pass %d", id, pass)
				}
				slices.Sort(nodes[id].arrivals)
				got := viewed(in)
				slices.Sort(got.arrivals)
				if diff := cmp.Diff(nodes[id], got, cmp.AllowUnexported(scan{}), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("n%d in pass %d at %d:\n%s", id, pass, p, diff)
				}
			}
			if passes > lookup.MaxRuns || passes != len(v.Runs) && passes < lookup.MaxRuns {
				t.Fatalf("n%d has %d runs, want %d", id, len(v.Runs), passes)
			}
		}
	})
}

// The signal of an edge is compared with the graph as it was when the operation ran.
func TestTheSignalOfAnEdgeIsTheTensorWhoseGradientComesBackOverIt(t *testing.T) {
	anyProgram(t, func(t *rapid.T, tape *graph.Tape) {
		g := tape.CursorAt(tape.Len()).Graph()
		tr := lookup.NewIndex(tape)
		for range min(g.NodeCount(), 8) {
			id := graph.NodeID(rapid.IntRange(1, g.NodeCount()).Draw(t, "node"))
			v, _ := tr.NodeAt(g, id)
			checkProduct(t, v)
			if v.OpAt < 0 {
				continue
			}
			_, e, _ := tape.At(v.OpAt)
			op := e.(*graph.OpRan)
			before := v.OpAt
			if len(op.Mutated) > 0 {
				for k := graph.Kind(0); k != graph.KindMutated; {
					before--
					k, _ = tape.NewDecoder().Kind(before)
				}
			}
			then, changed, made := tape.CursorAt(v.OpAt).Graph(), tape.CursorAt(before).Graph(), tape.CursorAt(v.Node.Created).Graph()
			for i, o := range v.Edges {
				if !o.Forward.Known || o.Forward.Tensor == 0 {
					if o.Edge.Node != 0 {
						t.Errorf("%s (n%d): it is not known what went over edge %d", v.Node.Name, id, i)
					}
					continue
				}
				was, _ := then.Tensor(o.Forward.Tensor)
				for _, id := range op.Mutated {
					if m, _ := g.Tensor(id); m.Counter == was.Counter {
						was, _ = changed.Tensor(o.Forward.Tensor)
					}
				}
				if diff := cmp.Diff([]any{was.Value, was.Shape, was.DType}, []any{o.Forward.Value, o.Forward.Shape, o.Forward.DType}, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s (n%d), edge %d:\n%s", v.Node.Name, id, i, diff)
				}
				fn, _ := made.Tensor(o.Forward.Tensor)
				leads := graph.Edge{Node: fn.Node, Input: fn.Output} == o.Edge || fn.Node == 0 && o.Target.Variable == fn.ID
				if o.Edge.Node != 0 && !leads {
					t.Errorf("%s (n%d): the gradient of t%d does not go over edge %d", v.Node.Name, id, fn.ID, i)
				}
			}
		}
	})
}

// checkProduct checks the operands of a multiplication by its derivative.
func checkProduct(t *rapid.T, v *lookup.NodeView) {
	if v.Node.Name != "MulBackward0" || v.Run == nil || v.Run.Status != graph.Done || len(v.Hooks) > 0 {
		return
	}
	in, a, b := v.Inputs[0].Used.Value.First, v.Edges[0], v.Edges[1]
	if len(in) != 1 || len(a.Forward.Value.First) != 1 || len(b.Forward.Value.First) != 1 || a.Forward.Stale || b.Forward.Stale {
		return
	}
	for _, side := range [][2]lookup.NodeOutput{{a, b}, {b, a}} {
		want := in[0] * side[1].Forward.Value.First[0]
		if got := side[0].Back.Value.First; len(got) == 1 && float32(got[0]) != float32(want) {
			t.Errorf("n%d: %v comes back, want %v", v.Node.ID, got[0], want)
		}
	}
}

func TestThePartsOfAGradientSumUpToIt(t *testing.T) {
	anyProgram(t, func(t *rapid.T, tape *graph.Tape) {
		p := graph.Pos(rapid.IntRange(0, int(tape.Len())).Draw(t, "position"))
		g := tape.CursorAt(p).Graph()
		tr := lookup.NewIndex(tape)
		for id := graph.TensorID(1); int(id) <= g.TensorCount(); id++ {
			v, ok := tr.TensorAt(g, id)
			if !ok || !slices.Equal(v.Events, slices.DeleteFunc(tr.Tensor(id), func(at graph.Pos) bool { return at >= p })) {
				t.Fatalf("t%d: %v", id, v)
			}
			for _, at := range v.Events {
				if line := tr.TensorEvent(g, id, at); line.Text == "" || line.Text == line.Kind.String() {
					t.Errorf("t%d: no word for %v", id, line.Kind)
				}
			}
			grad, _ := g.Tensor(v.Tensor.Grad)
			if len(v.Parts) == 0 {
				if v.Tensor.Grad != 0 && !grad.Value.Zero() {
					t.Errorf("t%d has a .grad of no parts at %d", id, p)
				}
				continue
			}
			last := v.Parts[len(v.Parts)-1]
			if last.Grad != grad.ID || last.After.Known() && fmt.Sprint(last.After) != fmt.Sprint(grad.Value) {
				t.Errorf("t%d: the parts sum up to %v, .grad is %v", id, last.After, grad.Value)
			}
			for i, part := range v.Parts {
				if i > 0 && part.None || part.Kind != graph.KindGradAccumulated || !part.After.Whole() || !part.None && !part.Before.Whole() {
					if part.Kind == graph.KindGradAccumulated {
						t.Errorf("t%d: part %d at %d is not whole: %+v", id, i, part.At, part)
					}
					continue
				}
				for k, after := range part.After.First {
					before := 0.0
					if !part.None {
						before = part.Before.First[k]
					}
					if sum := before + part.Added.Value.First[k]; float32(sum) != float32(after) {
						t.Errorf("t%d: %v + %v is not %v", id, before, part.Added.Value.First[k], after)
					}
				}
			}
		}
	})
}
