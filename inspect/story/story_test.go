package story_test

import (
	"strings"
	"testing"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/internal/testtape"
	"github.com/gradtui/gradtui/inspect/story"
)

func TestStories(t *testing.T) {
	tape := testtape.FromText(t, testtape.TwoWays)
	h := inspect.ReadHistory(tape, tape.Len(), inspect.Options{})
	for name, want := range map[string]string{
		"w": `made by the program a.py:1
leaf yes: the program made it, and it requires grad
named w a.py:1
changed by add_, to version 1 a.py:6 2 times: by mul_, to version 2
used by detach, which made d (t3) a.py:3
used by mul, which made loss (t4) a.py:4
gradient backward pass 1 brought norm 5; .grad became norm 5 a.py:5
gradient .grad is t5
held by the program
held in the graph of loss (t4), which the program holds a.py:4`,
		"u": `made by the program a.py:1
leaf yes: the program made it, and it requires grad
named u a.py:1
gradient .grad is None: no backward pass brought a gradient
path none of its values went into loss (t4), which backward pass 1 began from a.py:5
held by the program`,
		"d": `made by detach of w (t1) a.py:3
leaf yes: its values come from w (t1) without their history (detach) a.py:3
named d a.py:3
changed by add_ through w (t1), to version 1 a.py:6 2 times: by mul_ through w (t1), to version 2
used by mul, which made loss (t4) a.py:4
saved by MulBackward0 (n2) as other, at version 0; it is at version 2 now, so backward fails there a.py:4
gradient .grad is None: it does not require grad
held by the program
held in the graph of loss (t4), which the program holds a.py:4`,
		"train.loss": `made by mul of w (t1), d (t3) a.py:4
made its grad_fn is MulBackward0 (n2)
leaf no: it is the result of an operation that gradients go back through
named train.loss a.py:4
gradient .grad is None: it is not a leaf, and retain_grad() was not called
path backward pass 1 began here a.py:5
held by the program
graph its graph has 2 nodes and holds 8 B`,
	} {
		id, ok := h.Graph().Lookup(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		story, _ := story.Of(h, id)
		if got := facts(story); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	if _, ok := story.Of(h, 99); ok {
		t.Error("a story of a tensor that does not exist")
	}
}

func facts(s *story.Story) string {
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
	tape := testtape.FromText(t, strings.NewReplacer(
		"inputs=[1,3]", "inputs=[2,3]", "variable=1", "variable=2", "grad-accumulated @4 backward=1 tensor=1", "grad-accumulated @4 backward=1 tensor=2",
	).Replace(testtape.TwoWays))
	h := inspect.ReadHistory(tape, tape.Len(), inspect.Options{})
	story, _ := story.Of(h, 1)
	want := "path its values went into loss (t4), but the gradient ends here: detach of w (t1) a.py:3"
	if got := facts(story); !strings.Contains(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}
