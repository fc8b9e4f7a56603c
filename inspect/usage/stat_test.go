package usage_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/inspect/internal/testtape"
	"github.com/gradtui/gradtui/inspect/usage"
)

func TestIterationsAreTheTurnsOfTheLoop(t *testing.T) {
	for _, c := range []struct{ name, tape, want string }{
		{"steps", testtape.Training(3, false), "1-11 11-21 21-31"},
		{"backward passes", regexp.MustCompile(`optimizer-stepped @4.*`).ReplaceAllString(testtape.Training(2, false), "line-reached @4"), "1-11 11-21"},
		{"no loop", testtape.Training(1, false), ""},
		{"events of the program", testtape.FiveLines + "+0s op-ran @1\n+0s iteration @2\n+0s op-ran @3\n+0s iteration @2\n+0s op-ran @3\n+0s op-ran @5", "1-3 3-5"},
		{"the last one is not finished", testtape.Training(2, false) + "+1ms op-ran @2 op=\"mul\" inputs=[1]", "1-11 11-22 22-23"},
		{"calls on one line", testtape.FiveLines + strings.Repeat("+1ms op-ran @2\n+0s op-ran @2\n", 3), "0-2 2-4 4-6"},
		{"straight on", testtape.FiveLines + "+1ms op-ran @2\n+1ms op-ran @3\n+1ms op-ran @4", ""},
		{"forward only", testtape.FiveLines + strings.Repeat("+0s op-ran @2\n+0s op-ran @3\n", 3) + "+0s op-ran @5", "0-2 2-4 4-6"},
		{
			"forward only, in a function",
			`stack 1 "a.py":9:1-9:9:"f" "a.py":2:1-2:2:"<module>"
stack 2 "a.py":8:1-9:9:"f" "a.py":2:1-2:2:"<module>"
` + strings.Repeat("+0s op-ran @1\n+0s op-ran @2\n", 3), "0-2 2-4 4-6",
		},
	} {
		tape := testtape.FromText(t, c.tape)
		var got []string
		for _, i := range usage.Iterations(tape, tape.Len()) {
			got = append(got, fmt.Sprintf("%d-%d", i.From, i.To))
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestMemoryIsInUseUntilNothingHoldsIt(t *testing.T) {
	const x = "+0s tensor-created @1 tensor=1 storage=1 bytes=100 counter=1 dtype=float32 flags=requires_grad\n"
	const exp = x + `+1ms node-created @2 node=1 name="AccumulateGrad" outputs=1 variable=1
+0s node-created @2 node=2 name="ExpBackward0" outputs=1 edges=[(node=1)] saved=[(name="result" tensor=2 flags=output)]
+0s tensor-created @2 tensor=2 storage=2 bytes=100 counter=2 node=2
+0s op-ran @2 op="exp" inputs=[1] outputs=[2] node=2
`
	const sum = exp + `+1ms node-created @3 node=3 name="SumBackward0" outputs=1 edges=[(node=2)]
+0s tensor-created @3 tensor=3 storage=3 bytes=4 counter=3 node=3
+0s op-ran @3 op="sum" inputs=[2] outputs=[3] node=3
+0s tensor-released @3 tensor=2
`
	const backward = sum + `+1ms backward-began @4 backward=1 roots=[(tensor=3 node=3)]
+0s saved-freed @4 backward=1 node=2
+0s tensor-created @4 tensor=4 storage=4 bytes=100 counter=4 flags=gradient
+0s grad-accumulated @4 backward=1 tensor=1 grad=4 how=steal
+0s backward-ended @4 backward=1
`
	for _, c := range []struct {
		name, tape string
		want       usage.Use
	}{
		{"a tensor", x, usage.Use{Bytes: 100}},
		{"its result", exp, usage.Use{Nodes: 2, Bytes: 200}},
		{"a result that only the graph has", sum, usage.Use{Nodes: 3, Bytes: 204, Graph: 100}},
		{"freed", backward, usage.Use{Nodes: 3, Bytes: 204}},
		{"the graph is gone", backward + "+0s tensor-released @4 tensor=3", usage.Use{Bytes: 200}},
		{"the gradient is gone", backward + "+0s tensor-released @4 tensor=3\n+0s grad-assigned @4 tensor=1", usage.Use{Bytes: 100}},
		{"dropped without backward", sum + "+0s tensor-released @4 tensor=3", usage.Use{Bytes: 100}},
		{
			"a view keeps its base",
			x + "+1ms tensor-created @1 tensor=2 storage=1 bytes=100 counter=1 base=1 view=plain\n+0s tensor-released @1 tensor=1",
			usage.Use{Bytes: 100},
		},
		{
			"a step inside a call",
			x + "+1ms tensor-created @1 tensor=2 storage=2 bytes=100 counter=2\n+0s op-ran @1 inputs=[1] outputs=[2]\n" +
				"+0s tensor-created @1 tensor=3 storage=3 bytes=50 counter=3\n+0s op-ran @1 inputs=[2] outputs=[3]",
			usage.Use{Bytes: 150},
		},
		{
			"a result that programs do not get",
			x + "+1ms tensor-created @1 tensor=2 storage=2 bytes=4 counter=2\n+0s tensor-created @1 tensor=3 storage=3 bytes=4 counter=3\n" +
				"+0s op-ran @1 op=\"nll_loss_forward\" inputs=[1] outputs=[2,3]",
			usage.Use{Bytes: 104},
		},
		{
			"a gradient that was looked at",
			backward + "+1ms tensor-released @4 tensor=4\n+1ms op-ran @4 op=\"sum\" inputs=[4]\n+0s grad-assigned @4 tensor=1\n+0s tensor-released @4 tensor=3",
			usage.Use{Bytes: 100},
		},
		{
			"x.data = y",
			x + "+1ms tensor-created @1 tensor=2 storage=2 bytes=300 counter=2\n+0s reshaped @1 tensor=1 storage=2 bytes=300\n+0s tensor-released @1 tensor=2",
			usage.Use{Bytes: 300},
		},
	} {
		tape := testtape.FromText(t, testtape.FiveLines+c.tape)
		if got := usage.Measure(tape, tape.Len()).Total.End; got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestMemoryInAGoProgramIsHeldByNames(t *testing.T) {
	tape := testtape.FromText(t, `stack 1 "main.go":7:0-0:0:"main.main"
+0s tensor-created @1 tensor=1 storage=1 bytes=100 counter=1
+0s name-bound @1 name="x" tensor=1
+0s tensor-created @1 tensor=2 storage=2 bytes=30 counter=2
+0s tensor-created @1 tensor=3 storage=3 bytes=50 counter=3
+0s name-bound @1 name="x" tensor=3`)
	s := usage.Measure(tape, tape.Len())
	if s.Total.End.Bytes != 50 || s.Peak.Bytes != 100 {
		t.Errorf("%d in the end, %d at the peak", s.Total.End.Bytes, s.Peak.Bytes)
	}
}

func TestGrowthNamesTheLineThatKeepsMore(t *testing.T) {
	tape := testtape.FromText(t, testtape.Training(6, true))
	g := usage.Measure(tape, tape.Len()).Growth
	if g == nil || g.Bytes != 100 || g.Nodes != 2 || len(g.Lines) != 1 || g.Lines[0].Line != 3 || g.From != 2 || g.To != 6 {
		t.Errorf("%+v", g)
	}
	tape = testtape.FromText(t, testtape.Training(6, false))
	if g := usage.Measure(tape, tape.Len()).Growth; g != nil {
		t.Errorf("a program that keeps nothing grows: %+v", g)
	}
}

func TestTheSumsOfLinesAndIterationsAgree(t *testing.T) {
	tape := testtape.FromText(t, testtape.Training(5, true))
	s := usage.Measure(tape, tape.Len())
	var end, peak usage.Use
	nodes := 0
	for _, l := range s.Lines {
		end.Bytes, end.Nodes = end.Bytes+l.End.Bytes, end.Nodes+l.End.Nodes
		peak.Bytes += l.Peak.Bytes
	}
	for _, i := range s.Iterations {
		nodes += i.Nodes
	}
	if end.Bytes != s.Total.End.Bytes || end.Nodes != s.Total.End.Nodes || peak.Bytes != s.Peak.Bytes || nodes != s.Total.Nodes {
		t.Errorf("%+v %+v %d, want %+v", end, peak, nodes, s.Total)
	}
}
