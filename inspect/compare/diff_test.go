package compare_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/inspect/internal/testtape"
	"github.com/gradtui/gradtui/inspect/usage"
)

// differences compares two tapes in text form and lists what differs, one difference per line.
func differences(t *testing.T, a, b string) string {
	t.Helper()
	x, y := testtape.FromText(t, a), testtape.FromText(t, b)
	return listed(compare.Parts(compare.Part{Tape: x, To: x.Len()}, compare.Part{Tape: y, To: y.Len()}))
}

func listed(d *compare.Diff) string {
	var b strings.Builder
	for _, t := range d.Totals {
		if t.A != t.B {
			fmt.Fprintf(&b, "%s %d %d\n", t.What, t.A, t.B)
		}
	}
	for _, n := range d.Nodes {
		fmt.Fprintf(&b, "node %s:%d %s %d %d\n", n.File, n.Line, n.Name, n.A, n.B)
	}
	for _, e := range d.Edges {
		fmt.Fprintf(&b, "edge %s:%d %s.%d -> %s %d %d\n", e.File, e.Line, e.From, e.Input, e.To, e.A, e.B)
	}
	for _, t := range d.Tensors {
		for _, f := range t.Facts {
			fmt.Fprintf(&b, "tensor %s %s: %s, %s\n", t.Name, f.What, f.A, f.B)
		}
	}
	for _, v := range d.Values {
		fmt.Fprintf(&b, "value %s %s: %s, %s, apart %s\n", v.Name, v.What, compare.Contents(v.A), compare.Contents(v.B), v.Distance)
	}
	return b.String()
}

func TestWhatIsTheSameDoesNotDiffer(t *testing.T) {
	if got := differences(t, testtape.TwoWays, testtape.TwoWays); got != "" {
		t.Error(got)
	}
	tape := testtape.FromText(t, testtape.Training(3, false))
	all := usage.Iterations(tape, tape.Len())
	d := compare.Parts(compare.Part{Tape: tape, From: all[1].From, To: all[1].To}, compare.Part{Tape: tape, From: all[2].From, To: all[2].To})
	if !d.Same() {
		t.Error(listed(d))
	}
}

func TestDifferences(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{
			"a node of another name", `"MulBackward0"`, `"AddBackward0"`,
			"node a.py:4 MulBackward0 1 0\nnode a.py:4 AddBackward0 0 1\ntensor train.loss grad_fn: MulBackward0, AddBackward0\n",
		},
		{
			"an edge that went", `edges=[(node=1),()]`, `edges=[(),()]`,
			"edges 1 0\nnodes alive 2 1\nedge a.py:4 MulBackward0.0 -> AccumulateGrad of w 1 0\nedge a.py:4 MulBackward0.0 -> None 0 1\n",
		},
		{
			"no gradient", `grad-accumulated @4 backward=1 tensor=1`, `grad-accumulated @4 backward=1 tensor=2`,
			"tensor w grad: norm 5, None\ntensor u grad: None, norm 5\n",
		},
		{
			"another gradient", `whole=true first=[3,4])` + "\n", `whole=true first=[6,8])` + "\n",
			"value w grad: norm 5, norm 10, apart 1\n",
		},
		{
			"a change less", "+0s mutated @5 tensor=1 from=1 to=2\n", "",
			"changes in place 2 1\ntensor w changes in place: 2, 1\ntensor d changes in place: 2, 1\n",
		},
		{
			"a tensor that went", `name="u"`, `name="v"`,
			"tensor u tensor: float32 [2], missing\ntensor v tensor: missing, float32 [2]\n",
		},
	} {
		changed := strings.Replace(testtape.TwoWays, c.old, c.new, 1)
		if got := differences(t, testtape.TwoWays, changed); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

func TestLinesThatMovedAreTheSame(t *testing.T) {
	const before = "+0s source-read file=\"a.py\" text=\"a\\nb\\nc\\nd\"\n"
	const after = "+0s source-read file=\"b.py\" text=\"new\\na\\nb\\nc\\nother\"\n"
	event := func(file string, line int, name string) string {
		return fmt.Sprintf("stack 1 %q:%d:1-1:2:\"f\"\n+0s node-created @1 node=1 name=%q outputs=1\n", file, line, name)
	}
	for _, c := range []struct {
		a, b int
		same bool
	}{{2, 3, true}, {4, 5, true}, {2, 2, false}, {1, 1, false}} {
		got := differences(t, before+event("a.py", c.a, "X"), after+event("b.py", c.b, "X"))
		if (got == "") != c.same {
			t.Errorf("lines %d and %d: %s", c.a, c.b, got)
		}
	}
}

// sumOf is an iteration in which loss is the sum of w, and perhaps scaled.
func sumOf(turn int, scaled bool, loss int) string {
	node, tensor := 2*turn, turn+1
	text := fmt.Sprintf("\n+0s node-created @2 node=%d name=\"SumBackward0\" outputs=1 edges=[(node=1)]\n", node)
	if scaled {
		node++
		text += fmt.Sprintf("+0s node-created @3 node=%d name=\"MulBackward0\" outputs=1 edges=[(node=%d)]\n", node, node-1)
	}
	text += fmt.Sprintf("+0s node-created @3 node=%d name=\"NegBackward0\" outputs=1 edges=[(node=%d)]\n", node+1, node)
	if turn > 1 { // the loss before
		text += fmt.Sprintf("+0s tensor-released @3 tensor=%d\n", tensor-1)
	}
	return text + fmt.Sprintf(`
+0s tensor-created @3 tensor=%[1]d storage=%[1]d bytes=4 counter=%[1]d dtype=float32 shape=[] node=%[2]d value=(dtype=float32 count=1 whole=true first=[%[3]d])
+0s name-bound @3 name="loss" tensor=%[1]d
+0s grads-zeroed @4 by="SGD" params=[1]
`, tensor, node+1, loss)
}

// partsOf returns the iterations of a program that computes the sum of w, whose AccumulateGrad node
// the first iteration makes.
func partsOf(t *testing.T, turns ...string) (parts []compare.Part) {
	t.Helper()
	text := testtape.FiveLines + `
+0s tensor-created @1 tensor=1 storage=1 bytes=8 counter=1 dtype=float32 shape=[2] flags=requires_grad
+0s name-bound @1 name="w" tensor=1
`
	from := testtape.FromText(t, text).Len()
	text += "+0s node-created @2 node=1 name=\"AccumulateGrad\" outputs=1 variable=1\n"
	for _, turn := range turns {
		text += turn
		to := testtape.FromText(t, text).Len()
		parts = append(parts, compare.Part{From: from, To: to})
		from = to
	}
	tape := testtape.FromText(t, text)
	for i := range parts {
		parts[i].Tape = tape
	}
	return parts
}

func TestLeavesOfEarlierIterationsCount(t *testing.T) {
	parts := partsOf(t, sumOf(1, false, 4), sumOf(2, false, 3))
	d := compare.Parts(parts[0], parts[1])
	if got, want := listed(d), "value loss value: 4, 3, apart 0.25\n"; got != want || !d.SameButValues() || d.Same() {
		t.Errorf("%swant\n%s", got, want)
	}
}

// A node in between changes edges, which would say the same again.
func TestEdgesThatFollowFromNodesAreNotListed(t *testing.T) {
	parts := partsOf(t, sumOf(1, false, 4), sumOf(2, true, 4))
	d := compare.Parts(parts[0], parts[1])
	if got, want := listed(d), "nodes 3 4\nedges 2 3\nnodes alive 3 4\nnode a.py:4 MulBackward0 0 1\n"; got != want {
		t.Errorf("%swant\n%s", got, want)
	}
}

// zero_grad() finds gradients to fill with zeros in the second iteration only.
func TestUpkeepOfOptimizersIsNotAnOperationOfTheProgram(t *testing.T) {
	const zeroes = "+0s mutated @4 tensor=1 to=1\n+0s op-ran @4 op=\"zero_\" inputs=[1] outputs=[1] mutated=[1]\n"
	parts := partsOf(t, sumOf(1, false, 4), sumOf(2, false, 4)+zeroes)
	if got := listed(compare.Parts(parts[0], parts[1])); strings.Contains(got, "ops") || strings.HasPrefix(got, "changes in place") {
		t.Error(got)
	}
	own := strings.ReplaceAll(zeroes, "@4", "@5")
	parts = partsOf(t, sumOf(1, false, 4), sumOf(2, false, 4)+own)
	if got := listed(compare.Parts(parts[0], parts[1])); !strings.HasPrefix(got, "ops 0 1\nchanges in place 0 1\n") {
		t.Error(got)
	}
}

func TestDistances(t *testing.T) {
	whole := func(x ...float64) graph.Value { return graph.Summarize(graph.Float64, x, len(x)) }
	part := func(x ...float64) graph.Value { return graph.Summarize(graph.Float64, x, 1) }
	for _, c := range []struct {
		a, b graph.Value
		want string
	}{
		{whole(3, 4), whole(3, 4), "0"},
		{whole(3, 4), whole(6, 8), "1"},
		{whole(0, 0), whole(6, 8), "a is zero"},
		{part(3, 4), part(3, 0), "at least 0.6"}, // the smallest elements, 3 and 0; it is 0.8
		{whole(3), whole(3, 4), ""},
		{whole(3), graph.Value{}, ""},
		{whole(3), whole(math.NaN()), ""},
	} {
		d, ok := compare.Between(c.a, c.b)
		got := ""
		if ok {
			got = d.String()
		}
		if got != c.want {
			t.Errorf("from %v to %v: %q, want %q", c.a.First, c.b.First, got, c.want)
		}
	}
}
