package dag_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/cmd/gradtui/internal/dag"
	"github.com/gradtui/gradtui/examples"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/testing/passes"
	"github.com/gradtui/gradtui/internal/testing/pythontest"
)

func TestMain(m *testing.M) { pythontest.Main(m) }

type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// checkOrder compares the order of nodes with the order in which the passes on a tape
// executed them, and returns how many nodes they executed.
func checkOrder(t reporter, tape *graph.Tape) (nodes int) {
	t.Helper()
	executed := map[graph.BackwardID][]graph.NodeID{}
	c := graph.NewCursor(tape)
	for {
		_, e, err := c.Next()
		if err != nil {
			break
		}
		if e, ok := e.(*graph.NodeExecuted); ok {
			executed[e.Backward] = append(executed[e.Backward], e.Node)
		}
	}
	for id := graph.BackwardID(1); int(id) <= c.Graph().BackwardCount(); id++ {
		pass, _ := c.Graph().Backward(id)
		var roots []graph.NodeID
		for _, r := range pass.Roots {
			roots = append(roots, r.Node)
		}
		g := tape.CursorAt(pass.Began).Graph()
		d := dag.Collect(g, roots)
		var want []graph.NodeID
		for i := range d.Len() {
			want = append(want, d.Node(i))
		}
		got := executed[id]
		nodes += len(got)
		switch {
		case pass.Failed:
			want = want[:min(len(want), len(got))]
		case len(pass.Inputs) > 0: // only what leads to them ran
			want = slices.DeleteFunc(want, func(n graph.NodeID) bool { return !slices.Contains(got, n) })
		}
		if !slices.Equal(got, want) {
			t.Errorf("backward %d: - executed, + collected\n%s", id, cmp.Diff(got, want))
		}
	}
	return nodes
}

func TestBackwardPassesOfTheExamplesRunInTheOrderOfCollect(t *testing.T) {
	for _, e := range examples.All {
		t.Run(e.Name, func(t *testing.T) {
			tape := graph.NewTape(graph.Limits{})
			_, stop := autograd.Record(tape)
			err := e.Run(io.Discard)
			stop()
			if (err != nil) != e.Fails {
				t.Fatal(err)
			}
			if checkOrder(t, tape) == 0 {
				t.Error("no node was executed")
			}
		})
	}
}

func TestBackwardPassesOfPythonProgramsRunInTheOrderOfCollect(t *testing.T) {
	programs, err := filepath.Glob("../../../../examples/python/*/*.py")
	if err != nil || len(programs) < 11 {
		t.Fatalf("only %d programs were found (%v)", len(programs), err)
	}
	var all strings.Builder // one process for all of them
	all.WriteString("import runpy\nfor path in [\n")
	for _, path := range programs {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString("    r'''" + path + "''',\n")
	}
	all.WriteString("]:\n    try:\n        runpy.run_path(path, run_name='__main__')\n    except RuntimeError as e:\n        print(e)\n")
	program := filepath.Join(t.TempDir(), "all.py")
	if err := os.WriteFile(program, []byte(all.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if checkOrder(t, pythontest.Record(t, program)) < 100 {
		t.Error("hardly any node was executed")
	}
}

func TestBackwardPassesOfRandomProgramsRunInTheOrderOfCollect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tape := graph.NewTape(graph.Limits{})
		_, stop := autograd.Record(tape)
		err := passes.Random(t)
		stop()
		if err != nil {
			t.Fatal(err)
		}
		checkOrder(t, tape)
	})
}

func TestRootsThatAreNotThereAndCirclesOnATapeDoNoHarm(t *testing.T) {
	s := newSketch()
	// Nodes that lead to themselves and to later ones: no graph has them.
	for id := graph.NodeID(1); id < 4; id++ {
		e := &graph.NodeCreated{Node: id, Name: s.tape.InternString("Loop"), Edges: []graph.Edge{{Node: 4 - id}, {Node: id}}}
		s.tape.Append(graph.Header{}, e)
	}
	s.lines("x = leaf\na = Mul x x\n")
	d := dag.Collect(s.graph(), []graph.NodeID{0, 2, 99, 2, 1 << 31})
	if got := s.order(d); !slices.Equal(got, []string{"a", "x"}) {
		t.Errorf("%q", got)
	}
	for _, id := range []graph.NodeID{0, 3, 99, 1 << 31} {
		if i, ok := d.IndexOf(id); ok {
			t.Errorf("node %d has place %d", id, i)
		}
	}
	empty := dag.NewView(dag.Collect(newSketch().graph(), nil))
	if _, ok := empty.Fold(0); ok || empty.Rows() != 0 || empty.Unfold(0) || empty.Places(0, 1) != 0 {
		t.Error("an empty graph has something to show")
	}
}
