package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/compare"
	"github.com/gradtui/gradtui/inspect/internal/testtape"
)

// oneRank is a program that trains u and w in some steps. The loss is w * 2; in the steps that u
// selects it is also multiplied by u.
func oneRank(steps int, u func(step int) string) string {
	text := testtape.FiveLines + `
+0s tensor-created @1 tensor=1 storage=1 bytes=8 counter=1 dtype=float32 shape=[2] flags=requires_grad
+0s name-bound @1 name="model.w" tensor=1
+0s name-bound @1 name="p" tensor=1
+0s tensor-created @1 tensor=2 storage=2 bytes=8 counter=2 dtype=float32 shape=[2] flags=requires_grad
+0s name-bound @1 name="model.u" tensor=2
+0s name-bound @1 name="p" tensor=2
+0s node-created @2 node=1 name="AccumulateGrad" outputs=1 variable=1
+0s node-created @2 node=2 name="AccumulateGrad" outputs=1 variable=2
`
	for i := range steps {
		node := 10 * (i + 1)
		text += fmt.Sprintf("+0s iteration @2 number=%d\n", i+1)
		text += fmt.Sprintf("+0s node-created @3 node=%d name=\"MulBackward0\" outputs=1 edges=[(node=1),()]\n+0s op-ran @3 op=\"mul\" inputs=[1] outputs=[1] node=%d\n", node, node)
		how := u(i)
		if how == "reached" {
			text += fmt.Sprintf("+0s module-entered @4 path=\"gate\" type=\"Gate\"\n+0s node-created @4 node=%d name=\"MulBackward0\" outputs=1 edges=[(node=%d),(node=2)]\n+0s op-ran @4 op=\"mul\" inputs=[1,2] outputs=[1] node=%d\n+0s module-left @4\n", node+1, node, node+1)
		}
		text += fmt.Sprintf("+0s backward-began @5 backward=%d roots=[(tensor=1 node=%d)]\n+0s node-executed @5 backward=%d node=1\n+0s grad-accumulated @5 backward=%d tensor=1 grad=1 how=steal\n", i+1, node, i+1, i+1)
		switch how {
		case "reached":
			text += fmt.Sprintf("+0s node-executed @5 backward=%d node=2\n+0s grad-accumulated @5 backward=%d tensor=2 grad=2 how=steal\n", i+1, i+1)
		case "reduced":
			text += fmt.Sprintf("+0s grad-accumulated @5 backward=%d tensor=2 grad=2 how=steal\n", i+1)
		}
		text += fmt.Sprintf("+0s backward-ended @5 backward=%d\n", i+1)
	}
	return text
}

func ofRanks(t *testing.T, texts ...string) (tapes []*graph.Tape) {
	t.Helper()
	for rank, text := range texts {
		tape := testtape.FromText(t, text)
		tape.SetInfo(graph.Info{Rank: rank, WorldSize: len(texts)})
		tapes = append(tapes, tape)
	}
	return tapes
}

// listRanks writes what differs, one thing to a line.
func listRanks(d *compare.RankDiff) string {
	var b strings.Builder
	for _, g := range d.Grads {
		fmt.Fprintf(&b, "%s in %v: got %v reduced %v without %v\n", g.Name, g.Steps, g.Got, g.Reduced, g.Without)
	}
	for i, f := range []*compare.RankFork{d.Graph, d.Ops} {
		if f == nil {
			continue
		}
		fmt.Fprintf(&b, "%s after %d:", []string{"graph", "ops"}[i], f.Number)
		for _, w := range f.Ways {
			fmt.Fprintf(&b, " %v %s:%d %s %s;", w.Ranks, w.Op, w.Stack.Top().Line, w.Module, fmt.Sprint(len(w.At)))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func always(how string) func(int) string { return func(int) string { return how } }

func TestRanksAreCompared(t *testing.T) {
	plain := oneRank(3, always(""))
	last := func(step int) string { return []string{"", "", "reached"}[step] }
	for _, c := range []struct {
		name  string
		ranks []string
		want  string
	}{
		{"the same", []string{plain, plain, plain}, ""},
		{
			"one rank uses a parameter in its last but one step",
			[]string{plain, oneRank(3, func(i int) string { return []string{"", "reached", ""}[i] }), plain},
			"model.u in [2]: got [1] reduced [] without [0 2]\n" +
				"graph after 2: [0 2] mul:4  2; [1] mul:5 gate 1;\n",
		},
		{
			"a gradient that a reduction brings is listed apart",
			[]string{oneRank(2, always("reduced")), oneRank(2, always("reached"))},
			"model.u in [1 2]: got [1] reduced [0] without []\n" +
				"graph after 1: [0] mul:4  1; [1] mul:5 gate 1;\n",
		},
		{
			"nothing is said of a step that a rank has not finished",
			[]string{plain[:strings.LastIndex(plain, "+0s backward-began")], oneRank(3, last)},
			"graph after 3: [0] :0  1; [1] mul:5 gate 1;\n",
		},
		{
			"a rank that has not come to the loop is compared as a whole",
			[]string{strings.ReplaceAll(oneRank(1, always("reached")), "+0s iteration @2 number=1\n", ""), oneRank(2, always("reached")), oneRank(2, always(""))},
			"model.u in []: got [0 1] reduced [] without [2]\n" +
				"graph after 1: [0 1] mul:5 gate 2; [2] mul:4  1;\n",
		},
		{
			"one rank logs",
			[]string{plain + "+0s op-ran @5 op=\"mean\" inputs=[1] outputs=[1]\n", plain},
			"ops after 3: [0] mean:6  1; [1] :0  1;\n",
		},
		{
			"other threads have no order",
			[]string{plain + "+0s op-ran @5 t1 op=\"mean\" inputs=[1] outputs=[1] node=1\n", plain},
			"",
		},
		{
			"a rank without the parameter lacks nothing",
			[]string{strings.ReplaceAll(plain, "model.u", "model.v"), oneRank(3, always("reduced"))},
			"",
		},
	} {
		d := compare.Ranks(ofRanks(t, c.ranks...))
		if diff := cmp.Diff(c.want, listRanks(d)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
		if same := len(d.Grads) == 0 && d.Graph == nil; d.Same() != same {
			t.Errorf("%s: the same: %v", c.name, d.Same())
		}
	}
}

func TestRanksTellHowTheyEnded(t *testing.T) {
	plain := oneRank(2, always(""))
	d := compare.Ranks(ofRanks(t, plain, plain+"+0s program-failed @5 type=\"ValueError\" message=\"no\\nmore\"\n"))
	if d.Ranks[0].Failed != "" || d.Ranks[1].Failed != "ValueError: no" || d.Ranks[1].At.Line != 6 {
		t.Errorf("%+v", d.Ranks)
	}
	if r := d.Ranks[1]; r.Ops != 2 || r.Nodes != 4 || r.Passes != 2 || r.Info.Rank != 1 {
		t.Errorf("%+v", r)
	}
}

func TestNoTapeOfRanksIsTooOddToCompare(t *testing.T) {
	whole := oneRank(2, always("reached"))
	for i := range whole {
		if whole[i] == '\n' && i%3 == 0 {
			tapes := ofRanks(t, whole, whole[:i+1], "")
			compare.Ranks(tapes)
			for at := range tapes[0].Len() + 2 {
				if p := compare.Counterpart(tapes[0], tapes[1], at); p < 0 || p > tapes[1].Len() {
					t.Fatalf("event %d corresponds to %d", at, p)
				}
			}
		}
	}
	compare.Ranks(nil)
}

func TestAPlaceHasItsCounterpartOnOtherRanks(t *testing.T) {
	tapes := ofRanks(t, oneRank(3, always("")), oneRank(3, always("reached")), oneRank(2, always("")))
	find := func(tape *graph.Tape, kind graph.Kind, nth int) graph.Pos {
		for p := range tape.Len() {
			if _, e, _ := tape.At(p); e.Kind() == kind {
				if nth--; nth == 0 {
					return p + 1
				}
			}
		}
		t.Fatal("there is no such event")
		return 0
	}
	for _, c := range []struct {
		name     string
		from, to int
		at, want graph.Pos
	}{
		{"the beginning", 0, 1, 0, 0},
		{"the end", 0, 1, tapes[0].Len(), tapes[1].Len()},
		{"an operation", 0, 1, find(tapes[0], graph.KindOpRan, 2), find(tapes[1], graph.KindOpRan, 3)},
		{"the begin of a pass", 0, 1, find(tapes[0], graph.KindBackwardBegan, 2), find(tapes[1], graph.KindBackwardBegan, 2)},
		{"a node in a pass", 0, 1, find(tapes[0], graph.KindNodeExecuted, 2), find(tapes[1], graph.KindNodeExecuted, 3)},
		{"a node that only this rank runs", 1, 0, find(tapes[1], graph.KindNodeExecuted, 4), find(tapes[0], graph.KindBackwardEnded, 2) - 1},
		{"the end of a pass", 1, 0, find(tapes[1], graph.KindBackwardEnded, 2), find(tapes[0], graph.KindBackwardEnded, 2)},
		{"a step that the other has not", 0, 2, find(tapes[0], graph.KindOpRan, 3), tapes[2].Len()},
	} {
		if got := compare.Counterpart(tapes[c.from], tapes[c.to], c.at); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
