package python_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/gradtui/gradtui/capture/python"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/internal/pythontest"
)

// An engineDifference is a program whose tape on PyTorch is known to differ from that on
// the built-in engine.
type engineDifference struct {
	Program string
	In      []string // "graph", "gradients", "findings"
	Why     string
}

// TestPyTorchAndTheBuiltInEngineAgree records programs on both engines. The same nodes
// with the same edges and saved tensors run in the same order in each backward pass, the
// leaves get the same gradients, and the findings are the same, except for what
// differences-engines.json lists with reasons; an entry that is not needed any more fails
// the test.
//
// Without PyTorch 2.6 it is skipped, unless GRADTUI_REQUIRE lists torch-2.6.
func TestPyTorchAndTheBuiltInEngineAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs some hundred programs twice")
	}
	r := releases()[0]
	r.need(t)
	var known []engineDifference
	readJSON(t, filepath.Join("testdata", "differences-engines.json"), &known)
	servers := make(chan *torchServer, 2)
	for range cap(servers) {
		s := startTorch(t, r.command)
		servers <- s
	}
	programs := engineCorpus(t)
	t.Run("programs", func(t *testing.T) {
		for name, path := range programs {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := <-servers
				torch := s.record(t, path)
				servers <- s
				builtin := pythontest.Record(t, path)
				var why string
				var expected []string
				for _, d := range known {
					if d.Program == name {
						why, expected = d.Why, d.In
					}
				}
				for _, aspect := range engineAspects {
					diff := cmp.Diff(aspect.of(builtin), aspect.of(torch), cmp.Comparer(nearly))
					switch listed := slices.Contains(expected, aspect.name); {
					case diff != "" && !listed:
						t.Errorf("the %s differ (-built-in +PyTorch):\n%s", aspect.name, cut(diff))
					case diff == "" && listed:
						t.Errorf("the %s are the same now, but listed: %s", aspect.name, why)
					}
				}
			})
		}
	})
}

// nearly compares the elements of gradients.
func nearly(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-4*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

func cut(text string) string {
	if len(text) > 3000 {
		return text[:3000] + "…"
	}
	return text
}

// programsOfRule is how many programs of each rule are recorded: all take minutes.
const programsOfRule = 3

// engineCorpus are programs of the rules, by name.
func engineCorpus(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	root := filepath.Join("..", "..")
	files, err := filepath.Glob(filepath.Join(root, "inspect", "rules", "testdata", "*", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	dir := t.TempDir()
	taken := map[string]int{}
	for i, file := range files {
		rule := filepath.Dir(file)
		if taken[rule]++; taken[rule] > programsOfRule {
			continue
		}
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(file)) + "/" + strings.TrimSuffix(filepath.Base(file), ".txtar")
		for _, f := range archive.Files {
			if f.Name == "want" {
				continue
			}
			path := filepath.Join(folder, f.Name)
			if found[name] == "" {
				found[name] = path
				if bytes.HasPrefix(f.Data, []byte("import ")) { // both draw the same numbers
					f.Data = append([]byte(`__import__("torch").manual_seed(0); `), f.Data...)
				}
			}
			if err := os.WriteFile(path, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return found
}

// A torchServer runs programs on PyTorch, which it has imported once.
type torchServer struct {
	in  io.WriteCloser
	out *bufio.Reader
}

func startTorch(t *testing.T, command []string) *torchServer {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], append(slices.Clone(command[1:]), "-W", "ignore", filepath.Join("testdata", "recorder.py"))...)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return &torchServer{in, bufio.NewReader(out)}
}

// record runs a program and returns its tape.
func (s *torchServer) record(t *testing.T, program string) *graph.Tape {
	t.Helper()
	tape := graph.NewTape(graph.Limits{})
	r, err := python.NewRecorder(tape)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, folder, _ := strings.Cut(r.Environment()[len(r.Environment())-1], "=")
	served := make(chan error, 1)
	go func() {
		_, err := r.Serve()
		served <- err
	}()
	line, err := json.Marshal([]string{folder, program})
	if err == nil {
		_, err = s.in.Write(append(line, '\n'))
	}
	if err == nil {
		_, err = s.out.ReadString('\n')
	}
	r.Stop()
	if damaged := <-served; err != nil || damaged != nil {
		t.Fatal(err, damaged)
	}
	return tape
}

// engineAspects are what is compared of tapes.
var engineAspects = []struct {
	name string
	of   func(*graph.Tape) any
}{
	{"graph", func(tape *graph.Tape) any { return passesOf(tape) }},
	{"gradients", func(tape *graph.Tape) any { return gradientsOf(tape) }},
	{"findings", func(tape *graph.Tape) any { return findingsOf(tape) }},
}

// findingsOf are the findings that fail a check, with their lines.
func findingsOf(tape *graph.Tape) (found []string) {
	for _, f := range inspect.Check(tape, rules.All(), inspect.Options{ReadFile: os.ReadFile}).Findings {
		if f.Severity >= inspect.SeverityWarning {
			found = append(found, fmt.Sprintf("%s in line %d", f.Code, f.Primary.Line))
		}
	}
	slices.Sort(found)
	return found
}

// eachEvent visits the events of a tape.
func eachEvent(tape *graph.Tape, visit func(graph.Event)) {
	for p := range graph.Pos(tape.Len()) {
		if _, e, err := tape.At(p); err == nil {
			visit(e)
		}
	}
}

// passesOf are the nodes that ran in the backward passes, in order: names, where their
// edges lead, and what they had saved in which version.
func passesOf(tape *graph.Tape) (lines []string) {
	type made struct {
		name, looks string
	}
	nodes := map[graph.NodeID]made{}
	eachEvent(tape, func(e graph.Event) {
		switch e := e.(type) {
		case *graph.NodeCreated:
			name := tape.String(e.Name)
			var b strings.Builder
			fmt.Fprint(&b, name)
			for _, to := range e.Edges {
				fmt.Fprintf(&b, " →%s", strings.TrimSpace(fmt.Sprintf("%s:%d", nodes[to.Node].name, to.Input)))
			}
			var saved []string
			for _, s := range e.Saved {
				if s.Tensor == 0 {
					saved = append(saved, tape.String(s.Name)+" -")
				} else {
					saved = append(saved, fmt.Sprintf("%s v%d", tape.String(s.Name), s.Version))
				}
			}
			slices.Sort(saved)
			fmt.Fprint(&b, " ", saved)
			nodes[e.Node] = made{name, b.String()}
		case *graph.BackwardBegan:
			lines = append(lines, fmt.Sprintf("backward %d, %d roots", e.Backward, len(e.Roots)))
		case *graph.NodeExecuted:
			lines = append(lines, nodes[e.Node].looks)
		case *graph.BackwardFailed:
			lines = append(lines, "failed: "+nodes[e.Node].name)
		}
	})
	return lines
}

// A leafGradient is what a tensor has got into .grad.
type leafGradient struct {
	Value []float64
}

// gradientsOf are the gradients that small tensors kept, in order of size and time.
func gradientsOf(tape *graph.Tape) (found []leafGradient) {
	eachEvent(tape, func(e graph.Event) {
		if a, ok := e.(*graph.GradAccumulated); ok && a.Value.Whole() && a.Value.Count <= 8 {
			found = append(found, leafGradient{slices.Clone(a.Value.First)})
		}
	})
	return found
}
