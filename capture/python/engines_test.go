package python_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gradtui/gradtui/capture/python/pytorch"
	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/rules"
	"github.com/gradtui/gradtui/internal/testing/pythontest"
)

// An engineDifference is a known difference between tapes of PyTorch and tapes of the built-in
// engine.
type engineDifference struct {
	Programs []string // patterns; empty for all
	Releases []string // of PyTorch; empty for all
	In       []string // "nodes", "passes", "gradients", "findings"
	Lines    string   // a regular expression; empty for all lines that differ
	Why      string

	lines *regexp.Regexp
	used  bool
}

// knownDifferences are those in differences-engines.json.
func knownDifferences(t *testing.T) (known []*engineDifference) {
	t.Helper()
	readJSON(t, filepath.Join("testdata", "differences-engines.json"), &known)
	for _, d := range known {
		d.lines = regexp.MustCompile(d.Lines)
	}
	return known
}

// of reports whether it is one of a release.
func (d *engineDifference) of(release string) bool {
	return len(d.Releases) == 0 || slices.Contains(d.Releases, release)
}

// unexplained are the lines of a difference that no known one explains.
func unexplained(known []*engineDifference, release, program, aspect string, differ []string) []string {
	for _, d := range known {
		here := len(d.Programs) == 0 || slices.ContainsFunc(d.Programs, func(pattern string) bool {
			ok, _ := path.Match(pattern, program)
			return ok
		})
		if !here || !d.of(release) || !slices.Contains(d.In, aspect) {
			continue
		}
		differ = slices.DeleteFunc(slices.Clone(differ), func(line string) bool {
			matches := d.lines.MatchString(line)
			d.used = d.used || matches
			return matches
		})
	}
	return differ
}

// haveTheSameTape compares what was recorded of programs on PyTorch with what the built-in
// engine does, which is what 2.6 does. The same nodes with the same edges and saved tensors
// are made and run in the same order in each backward pass, the leaves get the same
// gradients, and the findings are the same. Of a newer release the programs of the rules are
// compared; the records of the oldest one, and of what only PyTorch can run, are only read.
func haveTheSameTape(t *testing.T, r *release, compared []comparison, onEngine map[string]func(*testing.T) recorded) {
	known, followed := knownDifferences(t), releases()[0].version
	var mu sync.Mutex // guards known
	t.Run("of", func(t *testing.T) {
		for _, c := range compared {
			builtin, name := onEngine[c.Program], nameOf(c.Program)
			if c.Kept == "" {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				torch := keptTape(t, c.Kept)
				if builtin == nil || r.version != followed && (r.version == oldest || filepath.Base(filepath.Dir(filepath.Dir(c.Program))) != rulePrograms) {
					return
				}
				found := aspectsOf(torch)
				for aspect, expected := range builtin(t) {
					differ := withoutIdle(different(expected, found[aspect]), expected)
					mu.Lock()
					left := unexplained(known, r.version, name, aspect, differ)
					mu.Unlock()
					if len(left) > 0 {
						t.Errorf("the %s differ (-built-in +PyTorch):\n%s", aspect, cut(strings.Join(left, "\n")))
					}
				}
			})
		}
	})
	for _, d := range known {
		if allPrograms() && r.version == followed && d.of(followed) && !d.used {
			t.Errorf("differences-engines.json lists what does not differ: %s", d.Why)
		}
	}
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

// recordedOnEngine records programs on the built-in engine, each when it is asked for first.
func recordedOnEngine(run []string) map[string]func(*testing.T) recorded {
	all := map[string]func(*testing.T) recorded{}
	for _, program := range run {
		if filepath.Base(filepath.Dir(program)) == hard {
			continue // they ask for what only PyTorch has
		}
		var once sync.Once
		var found recorded
		all[program] = func(t *testing.T) recorded {
			once.Do(func() { found = aspectsOf(pythontest.Record(t, program)) })
			return found
		}
	}
	return all
}

// keptTape is what the records of a program in a file say.
func keptTape(t *testing.T, file string) *graph.Tape {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tape := graph.NewTape(graph.Limits{})
	translator := pytorch.NewTranslator(tape)
	const greeting = 1
	for n := 0; len(data) >= 4; n++ {
		size := int(binary.LittleEndian.Uint32(data))
		if n >= greeting {
			if _, err := translator.Frame(data[4 : 4+size]); err != nil {
				t.Fatal(err)
			}
		}
		data = data[4+size:]
	}
	return tape
}

// recorded is what is compared of a tape: lines of each aspect.
type recorded map[string][]line

// A line says something of a tape, with numbers that may differ in their last digits.
type line struct {
	text    string
	numbers []float64
	idle    bool // of a node that the program cannot come to
}

func (l line) String() string {
	if l.numbers == nil {
		return l.text
	}
	return fmt.Sprint(l.text, " ", l.numbers)
}

func (l line) same(m line) bool {
	return l.text == m.text && slices.EqualFunc(l.numbers, m.numbers, nearly)
}

func aspectsOf(tape *graph.Tape) recorded {
	nodes, passes := nodesOf(tape)
	return recorded{"nodes": nodes, "passes": passes, "gradients": gradientsOf(tape), "findings": lines(findingsOf(tape))}
}

func lines(texts []string) (all []line) {
	for _, text := range texts {
		all = append(all, line{text: text})
	}
	return all
}

// different are the lines that only one of two tapes has, with a sign in front: "-" for the
// first.
func different(a, b []line) (found []string) {
	for len(a) > 0 && len(b) > 0 && a[0].same(b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1].same(b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	// The longest common subsequence: common[i][j] is its length for a[i:] and b[j:].
	common := make([][]int32, len(a)+1)
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].same(b[j]) {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i].same(b[j]):
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			found = append(found, "-"+a[i].String())
			i++
		default:
			found = append(found, "+"+b[j].String())
			j++
		}
	}
	return found
}

// withoutIdle leaves out the lines of idle nodes that only the built-in engine has. Nodes that
// PyTorch's C++ code makes and drops again, or makes just in case, cannot be seen.
func withoutIdle(differ []string, builtin []line) []string {
	idle := map[string]int{}
	for _, l := range builtin {
		if l.idle {
			idle["-"+l.text]++
		}
	}
	return slices.DeleteFunc(differ, func(text string) bool {
		idle[text]--
		return idle[text] >= 0
	})
}

// reached are the nodes that have run, the grad_fns of tensors that had a name, and what
// those lead to.
func reached(tape *graph.Tape) map[graph.NodeID]bool {
	edges := map[graph.NodeID][]graph.Edge{}
	of := map[graph.TensorID]graph.NodeID{}
	named := map[graph.TensorID]bool{}
	found := map[graph.NodeID]bool{}
	var queue []graph.NodeID
	reach := func(n graph.NodeID) {
		if n != 0 && !found[n] {
			found[n] = true
			queue = append(queue, n)
		}
	}
	eachEvent(tape, func(e graph.Event) {
		switch e := e.(type) {
		case *graph.NodeCreated:
			edges[e.Node] = slices.Clone(e.Edges)
		case *graph.TensorCreated:
			of[e.Tensor] = e.Node
		case *graph.Rebased:
			if of[e.Tensor] = e.Node; named[e.Tensor] {
				reach(e.Node)
			}
		case *graph.NameBound:
			named[e.Tensor] = true
			reach(of[e.Tensor])
		case *graph.NodeExecuted:
			reach(e.Node)
		}
	})
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, to := range edges[n] {
			reach(to.Node)
		}
	}
	return found
}

// findingsOf are the findings that fail a check, with their lines.
func findingsOf(tape *graph.Tape) (found []string) {
	for _, f := range inspect.Check(tape, rules.All(), inspect.Options{}).Findings {
		if f.Severity >= inspect.SeverityWarning {
			found = append(found, fmt.Sprintf("%s in %s:%d", f.Code, filepath.Base(f.Primary.File), f.Primary.Line))
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

// nodesOf are the nodes of the graph, sorted (names, where their edges lead, what they saved
// in which version), and what ran in the backward passes, in order.
func nodesOf(tape *graph.Tape) (nodes, passes []line) {
	names, live := map[graph.NodeID]string{}, reached(tape)
	eachEvent(tape, func(e graph.Event) {
		switch e := e.(type) {
		case *graph.NodeCreated:
			name := tape.String(e.Name)
			names[e.Node] = name
			if e.Variable != 0 {
				return // made when it is needed first
			}
			var edges, saved []string
			for _, to := range e.Edges {
				edges = append(edges, " →"+strings.TrimSpace(fmt.Sprintf("%s:%d", names[to.Node], to.Input)))
			}
			for _, s := range e.Saved {
				if s.Tensor == 0 {
					saved = append(saved, tape.String(s.Name)+" -")
				} else {
					saved = append(saved, fmt.Sprintf("%s v%d", tape.String(s.Name), s.Version))
				}
			}
			slices.Sort(saved)
			nodes = append(nodes, line{text: fmt.Sprint(name, strings.Join(edges, ""), " ", saved), idle: !live[e.Node]})
		case *graph.BackwardBegan:
			passes = append(passes, line{text: fmt.Sprintf("backward %d, %d roots", e.Backward, len(e.Roots))})
		case *graph.NodeExecuted:
			passes = append(passes, line{text: names[e.Node]})
		case *graph.BackwardFailed:
			passes = append(passes, line{text: "failed: " + names[e.Node]})
		}
	})
	slices.SortFunc(nodes, func(a, b line) int { return strings.Compare(a.text, b.text) })
	return nodes, passes
}

// gradientsOf returns the gradients that small tensors kept, sorted: a tape of PyTorch has the
// gradients of non-leaf tensors when the pass is over.
func gradientsOf(tape *graph.Tape) (found []line) {
	eachEvent(tape, func(e graph.Event) {
		if a, ok := e.(*graph.GradAccumulated); ok && a.Value.Whole() && a.Value.Count <= 8 {
			found = append(found, line{text: "gradient", numbers: slices.Clone(a.Value.First)})
		}
	})
	slices.SortFunc(found, func(a, b line) int { return slices.Compare(a.numbers, b.numbers) })
	return found
}
