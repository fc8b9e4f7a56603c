package compare_test

import (
	"fmt"
	"strings"
	"testing"

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
			"tensor w grad: norm 5, norm 10\n",
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
