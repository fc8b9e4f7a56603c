package inspect_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// tapeOf reads a tape in text form.
func tapeOf(t *testing.T, text string) *graph.Tape {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	if err := tape.ReadText(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return tape
}

const fiveLines = `
stack 1 "a.py":1:1-1:9:"<module>"
stack 2 "a.py":3:5-3:9:"<module>"
stack 3 "a.py":4:5-4:9:"<module>"
stack 4 "a.py":5:5-5:9:"<module>"
stack 5 "a.py":6:1-6:9:"<module>"
`

// A turn of a loop: h = w * w in line 3, h.backward() in line 4, a step in line 5.
// With keep the program holds h for ever.
func turn(i int, keep bool) string {
	n, tensor := i*2+1, i+2
	text := fmt.Sprintf(`
+1ms node-created @2 node=%[1]d name="AccumulateGrad" outputs=1 variable=1
+0s node-created @2 node=%[2]d name="MulBackward0" outputs=1 edges=[(node=%[1]d),(node=%[1]d)] saved=[(name="self" tensor=1),(name="other" tensor=1)]
+0s tensor-created @2 tensor=%[3]d storage=%[3]d bytes=100 counter=%[3]d dtype=float32 shape=[25] node=%[2]d
+0s op-ran @2 op="mul" inputs=[1,1] outputs=[%[3]d] node=%[2]d
+1ms backward-began @3 backward=%[4]d roots=[(tensor=%[3]d node=%[2]d)]
+0s saved-freed @3 backward=%[4]d node=%[2]d
+0s backward-ended @3 backward=%[4]d
+1ms optimizer-stepped @4 optimizer="SGD" params=[1]
+0s optimizer-stepped @4 optimizer="SGD" done=true params=[1]
`, n, n+1, tensor, i+1)
	if !keep {
		text += fmt.Sprintf("+1ms tensor-released @4 tensor=%d\n", tensor)
	}
	return text
}

func training(turns int, keep bool) string {
	text := fiveLines + "+0s tensor-created @1 tensor=1 storage=1 bytes=100 counter=1 dtype=float32 shape=[25] flags=requires_grad|parameter\n"
	for i := range turns {
		text += turn(i, keep)
	}
	return text + "+1ms output-written @5 stream=1\n"
}

func TestIterationsAreTheTurnsOfTheLoop(t *testing.T) {
	for _, c := range []struct{ name, tape, want string }{
		{"steps", training(3, false), "1-11 11-21 21-31"},
		{"backward passes", regexp.MustCompile(`optimizer-stepped @4.*`).ReplaceAllString(training(2, false), "line-reached @4"), "1-11 11-21"},
		{"no loop", training(1, false), ""},
		{"events of the program", fiveLines + "+0s op-ran @1\n+0s iteration @2\n+0s op-ran @3\n+0s iteration @2\n+0s op-ran @3\n+0s op-ran @5", "1-3 3-5"},
		{"the last one is not finished", training(2, false) + "+1ms op-ran @2 op=\"mul\" inputs=[1]", "1-11 11-22 22-23"},
		{"calls on one line", fiveLines + strings.Repeat("+1ms op-ran @2\n+0s op-ran @2\n", 3), "0-2 2-4 4-6"},
		{"straight on", fiveLines + "+1ms op-ran @2\n+1ms op-ran @3\n+1ms op-ran @4", ""},
		{"forward only", fiveLines + strings.Repeat("+0s op-ran @2\n+0s op-ran @3\n", 3) + "+0s op-ran @5", "0-2 2-4 4-6"},
		{
			"forward only, in a function",
			`stack 1 "a.py":9:1-9:9:"f" "a.py":2:1-2:2:"<module>"
stack 2 "a.py":8:1-9:9:"f" "a.py":2:1-2:2:"<module>"
` + strings.Repeat("+0s op-ran @1\n+0s op-ran @2\n", 3), "0-2 2-4 4-6",
		},
	} {
		tape := tapeOf(t, c.tape)
		var got []string
		for _, i := range inspect.Iterations(tape, tape.Len()) {
			got = append(got, fmt.Sprintf("%d-%d", i.From, i.To))
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestMemoryIsInUseUntilNobodyHoldsIt(t *testing.T) {
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
		want       inspect.Use
	}{
		{"a tensor", x, inspect.Use{Bytes: 100}},
		{"its result", exp, inspect.Use{Nodes: 2, Bytes: 200}},
		{"a result that only the graph has", sum, inspect.Use{Nodes: 3, Bytes: 204, Graph: 100}},
		{"freed", backward, inspect.Use{Nodes: 3, Bytes: 204}},
		{"the graph is gone", backward + "+0s tensor-released @4 tensor=3", inspect.Use{Bytes: 200}},
		{"the gradient is gone", backward + "+0s tensor-released @4 tensor=3\n+0s grad-assigned @4 tensor=1", inspect.Use{Bytes: 100}},
		{"dropped without backward", sum + "+0s tensor-released @4 tensor=3", inspect.Use{Bytes: 100}},
		{
			"a view keeps its base",
			x + "+1ms tensor-created @1 tensor=2 storage=1 bytes=100 counter=1 base=1 view=plain\n+0s tensor-released @1 tensor=1",
			inspect.Use{Bytes: 100},
		},
		{
			"a step inside of a call",
			x + "+1ms tensor-created @1 tensor=2 storage=2 bytes=100 counter=2\n+0s op-ran @1 inputs=[1] outputs=[2]\n" +
				"+0s tensor-created @1 tensor=3 storage=3 bytes=50 counter=3\n+0s op-ran @1 inputs=[2] outputs=[3]",
			inspect.Use{Bytes: 150},
		},
		{
			"a result that programs do not get",
			x + "+1ms tensor-created @1 tensor=2 storage=2 bytes=4 counter=2\n+0s tensor-created @1 tensor=3 storage=3 bytes=4 counter=3\n" +
				"+0s op-ran @1 op=\"nll_loss_forward\" inputs=[1] outputs=[2,3]",
			inspect.Use{Bytes: 104},
		},
		{
			"a gradient that was looked at",
			backward + "+1ms tensor-released @4 tensor=4\n+1ms op-ran @4 op=\"sum\" inputs=[4]\n+0s grad-assigned @4 tensor=1\n+0s tensor-released @4 tensor=3",
			inspect.Use{Bytes: 100},
		},
		{
			"x.data = y",
			x + "+1ms tensor-created @1 tensor=2 storage=2 bytes=300 counter=2\n+0s reshaped @1 tensor=1 storage=2 bytes=300\n+0s tensor-released @1 tensor=2",
			inspect.Use{Bytes: 300},
		},
	} {
		tape := tapeOf(t, fiveLines+c.tape)
		if got := inspect.Measure(tape, tape.Len()).Total.End; got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestMemoryInAGoProgramIsHeldByNames(t *testing.T) {
	tape := tapeOf(t, `stack 1 "main.go":7:0-0:0:"main.main"
+0s tensor-created @1 tensor=1 storage=1 bytes=100 counter=1
+0s name-bound @1 name="x" tensor=1
+0s tensor-created @1 tensor=2 storage=2 bytes=30 counter=2
+0s tensor-created @1 tensor=3 storage=3 bytes=50 counter=3
+0s name-bound @1 name="x" tensor=3`)
	s := inspect.Measure(tape, tape.Len())
	if s.Total.End.Bytes != 50 || s.Peak.Bytes != 100 {
		t.Errorf("%d in the end, %d at the peak", s.Total.End.Bytes, s.Peak.Bytes)
	}
}

func TestGrowthNamesTheLineThatKeepsMore(t *testing.T) {
	tape := tapeOf(t, training(6, true))
	g := inspect.Measure(tape, tape.Len()).Growth
	if g == nil || g.Bytes != 100 || g.Nodes != 2 || len(g.Lines) != 1 || g.Lines[0].Line != 3 || g.From != 2 || g.To != 6 {
		t.Errorf("%+v", g)
	}
	tape = tapeOf(t, training(6, false))
	if g := inspect.Measure(tape, tape.Len()).Growth; g != nil {
		t.Errorf("a program that keeps nothing grows: %+v", g)
	}
}

func TestTheSumsOfLinesAndIterationsAgree(t *testing.T) {
	tape := tapeOf(t, training(5, true))
	s := inspect.Measure(tape, tape.Len())
	var end, peak inspect.Use
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
