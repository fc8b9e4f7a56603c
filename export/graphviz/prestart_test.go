package graphviz

import "testing"

func TestPrestartedChildDoesTheNextJob(t *testing.T) {
	children := watchChildren(t)
	Prestart(Options{})
	waiting := spare.c
	if waiting == nil {
		t.Fatal("no process was started")
	}
	Prestart(Options{})
	if spare.c != waiting {
		t.Error("a second process was started")
	}
	for i := range 2 {
		mustRender(t, "digraph { a }", SVG)
		if got := <-children; (got == waiting) != (i == 0) {
			t.Errorf("job %d was done by the waiting process: %v", i, got == waiting)
		}
	}
	wantGone(t, waiting)
}

func TestPrestartedChildWithOtherLimitsIsNotUsed(t *testing.T) {
	children := watchChildren(t)
	Prestart(Options{})
	waiting := spare.c
	if _, err := Render(t.Context(), []byte("digraph { a }"), SVG, Options{MaxMemory: 1 << 29}); err != nil {
		t.Fatal(err)
	}
	if got := <-children; got == waiting {
		t.Error("the job was done with the wrong limit on memory")
	}
	wantGone(t, waiting)
}

func TestPrestartedChildThatDiedIsReplaced(t *testing.T) {
	skipCompiling(t)
	Prestart(Options{})
	spare.c.Kill()
	mustRender(t, "digraph { a }", SVG)
}
