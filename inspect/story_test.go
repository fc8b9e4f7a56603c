package inspect_test

import (
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

// stories is a program in which w goes into loss twice, once without its history, and
// is changed after it was saved; u is not used.
const stories = fiveLines + `
+0s tensor-created @1 tensor=1 storage=1 bytes=8 counter=1 dtype=float32 shape=[2] flags=requires_grad
+0s name-bound @1 name="w" tensor=1
+0s tensor-created @1 tensor=2 storage=2 bytes=8 counter=2 dtype=float32 shape=[2] flags=requires_grad
+0s name-bound @1 name="u" tensor=2
+1ms tensor-created @2 tensor=3 storage=1 bytes=8 counter=1 dtype=float32 shape=[2]
+0s op-ran @2 op="detach" inputs=[1] outputs=[3]
+0s lineage-cut @2 why=detach inputs=[1] output=3
+0s name-bound @2 name="d" tensor=3
+1ms node-created @3 node=1 name="AccumulateGrad" outputs=1 variable=1
+0s node-created @3 node=2 name="MulBackward0" outputs=1 edges=[(node=1),()] saved=[(name="other" tensor=3)]
+0s tensor-created @3 tensor=4 storage=3 bytes=8 counter=3 dtype=float32 shape=[2] node=2
+0s op-ran @3 op="mul" inputs=[1,3] outputs=[4] node=2
+0s name-bound @3 name="loss" scope="train" tensor=4
+1ms backward-began @4 backward=1 roots=[(tensor=4 node=2)]
+0s tensor-created @4 tensor=5 storage=4 bytes=8 counter=4 dtype=float32 shape=[2] flags=gradient
+0s grad-accumulated @4 backward=1 tensor=1 grad=5 how=steal added=(shape=[2] dtype=float32 count=2 whole=true first=[3,4]) value=(dtype=float32 count=2 whole=true first=[3,4])
+0s backward-ended @4 backward=1
+1ms mutated @5 tensor=1 to=1
+0s op-ran @5 op="add_" inputs=[1] outputs=[1] mutated=[1]
+0s mutated @5 tensor=1 from=1 to=2
+0s op-ran @5 op="mul_" inputs=[1] outputs=[1] mutated=[1]
`

func TestStories(t *testing.T) {
	tape := tapeOf(t, stories)
	h := inspect.ReadHistory(tape, tape.Len(), inspect.Options{})
	for name, want := range map[string]string{
		"w": `made by the program a.py:1
leaf yes: the program made it and asked for its gradient
named w a.py:1
changed by add_, to version 1 a.py:6 2 times: by mul_, to version 2
used by detach, which made d (t3) a.py:3
used by mul, which made loss (t4) a.py:4
gradient backward pass 1 brought norm 5; .grad became norm 5 a.py:5
gradient .grad is t5
held by the program
held by the graph of loss (t4), which the program has a.py:4`,
		"u": `made by the program a.py:1
leaf yes: the program made it and asked for its gradient
named u a.py:1
gradient .grad is None: no backward pass brought anything
path nothing of it went into loss (t4), which backward pass 1 began from a.py:5
held by the program`,
		"d": `made by detach of w (t1) a.py:3
leaf yes: its values come from w (t1) without their history (detach) a.py:3
named d a.py:3
changed by add_ through w (t1), to version 1 a.py:6 2 times: by mul_ through w (t1), to version 2
used by mul, which made loss (t4) a.py:4
saved by MulBackward0 (n2) as other, at version 0; it is at version 2 now, so backward fails there a.py:4
gradient .grad is None: it does not require grad
held by the program
held by the graph of loss (t4), which the program has a.py:4`,
		"train.loss": `made by mul of w (t1), d (t3) a.py:4
made its grad_fn is MulBackward0 (n2)
leaf no: it is the result of an operation that gradients go back through
named train.loss a.py:4
gradient .grad is None: it is no leaf, and retain_grad() was not called
path backward pass 1 began here a.py:5
held by the program
graph its graph has 2 nodes and holds 8 B`,
	} {
		id, ok := h.Graph().Lookup(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		story, _ := h.Story(id)
		if got := facts(story); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	if _, ok := h.Story(99); ok {
		t.Error("a story of a tensor that does not exist")
	}
}

func facts(s *inspect.Story) string {
	var lines []string
	for _, f := range s.Facts {
		line := f.Topic + " " + f.Text
		if f.Span.Known() {
			line += " " + graph.Frame{File: f.Span.File, Line: f.Span.Line}.String()
		}
		if f.Count > 1 {
			line += " 2 times: " + f.Last
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestAStoryNamesTheLineThatCutsThePath(t *testing.T) {
	tape := tapeOf(t, strings.NewReplacer(
		"inputs=[1,3]", "inputs=[2,3]", "variable=1", "variable=2", "grad-accumulated @4 backward=1 tensor=1", "grad-accumulated @4 backward=1 tensor=2",
	).Replace(stories))
	h := inspect.ReadHistory(tape, tape.Len(), inspect.Options{})
	story, _ := h.Story(1)
	want := "path its values went into loss (t4), but no gradient comes back past here: detach of w (t1) a.py:3"
	if got := facts(story); !strings.Contains(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}
