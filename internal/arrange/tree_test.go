package arrange_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/internal/arrange"
)

// A sketch is a graph that is written down by hand, with inputs in front of what uses them.
// In the order of execution it is the other way round.
type sketch struct {
	tape    *graph.Tape
	g       *graph.Graph
	names   []string
	lines   []int
	modules []graph.ModuleID
	next    [][]int32
}

// sketched reads lines such as "enter layers.0 Linear", "enter - Net" for the root module, "leave", and "y = Mul w x @12": a
// node that uses two others, in a line of the program. A node called Leaf is a leaf.
func sketched(text string) *sketch {
	s := &sketch{tape: graph.NewTape(graph.Limits{})}
	var open []graph.ModuleID
	entered := graph.ModuleID(0)
	ids := map[string]int32{}
	for text := range strings.Lines(text) {
		words := strings.Fields(text)
		switch {
		case len(words) == 0:
		case words[0] == "enter":
			s.tape.Append(graph.Header{}, &graph.ModuleEntered{Path: s.tape.InternString(strings.TrimPrefix(words[1], "-")), Type: s.tape.InternString(words[2])})
			entered++
			open = append(open, entered)
		case words[0] == "leave":
			s.tape.Append(graph.Header{}, &graph.ModuleLeft{})
			open = open[:len(open)-1]
		default:
			ids[words[0]] = int32(len(s.names))
			s.names = append(s.names, words[2])
			line, next := 0, []int32(nil)
			for _, word := range words[3:] {
				if number, ok := strings.CutPrefix(word, "@"); ok {
					line, _ = strconv.Atoi(number)
				} else {
					next = append(next, ids[word])
				}
			}
			s.lines, s.next = append(s.lines, line), append(s.next, next)
			module := graph.ModuleID(0)
			if len(open) > 0 {
				module = open[len(open)-1]
			}
			s.modules = append(s.modules, module)
		}
	}
	s.g = s.tape.CursorAt(s.tape.Len()).Graph()
	return s
}

// reversed is the sketch with what uses others in front of them.
func (s *sketch) reversed() *sketch {
	r := &sketch{tape: s.tape, g: s.g}
	for i := len(s.names) - 1; i >= 0; i-- {
		var next []int32
		for _, to := range s.next[i] {
			next = append(next, int32(len(s.names)-1)-to)
		}
		r.names, r.lines = append(r.names, s.names[i]), append(r.lines, s.lines[i])
		r.modules, r.next = append(r.modules, s.modules[i]), append(r.next, next)
	}
	return r
}

func (s *sketch) Len() int                    { return len(s.names) }
func (s *sketch) Graph() *graph.Graph         { return s.g }
func (s *sketch) Module(i int) graph.ModuleID { return s.modules[i] }
func (s *sketch) Leaf(i int) bool             { return s.names[i] == "Leaf" }
func (s *sketch) Next(i int) []int32          { return s.next[i] }
func (s *sketch) What(i int) (operation, line int) {
	return int(s.tape.InternString(s.names[i])), s.lines[i]
}

// picture are the options of pictures.
var picture = arrange.Options{Together: true, Between: true, Chains: true}

// outline writes a tree, a group in a line with how many nodes it has.
func outline(s *sketch, t *arrange.Tree) string {
	var b strings.Builder
	depth := map[int32]int{arrange.None: -1}
	for i := range t.Groups {
		g := &t.Groups[i]
		depth[int32(i)] = depth[g.Parent] + 1
		name, about := g.Name(s.g, strconv.Itoa)
		fmt.Fprintf(&b, "%s%s %s: %d\n", strings.Repeat("  ", depth[int32(i)]), name, about, g.Len())
	}
	return b.String()
}

func check(t *testing.T, s *sketch, opts arrange.Options, want string) {
	t.Helper()
	got := outline(s, arrange.Build(s, opts))
	if diff := cmp.Diff(strings.ReplaceAll(strings.TrimPrefix(want, "\n"), "\t", "  "), got); diff != "" {
		t.Errorf("- want, + got\n%s", diff)
	}
}

// nestedLoops is a loop of six steps, each of which adds to a value what a loop of eight
// makes of it.
func nestedLoops() *sketch {
	text := "w = Leaf\nx = Leaf\nh = Sin x\n"
	value := "h"
	for i := range 6 {
		before := value
		for j := range 8 {
			text += fmt.Sprintf("m%d_%d = Mul %s w @1\nt%d_%d = Tanh m%d_%d @2\n", i, j, value, i, j, i, j)
			value = fmt.Sprintf("t%d_%d", i, j)
		}
		text += fmt.Sprintf("e%d = Exp %s @3\na%d = Add e%d %s @4\n", i, value, i, i, before)
		value = fmt.Sprint("a", i)
	}
	return sketched(text)
}

func TestNestedLoopsAreNestedRepetitions(t *testing.T) {
	inner := "×6 2 nodes each: 12\n"
	for n := range 6 {
		inner += fmt.Sprintf("\trepetition %d : 2\n", n+1)
	}
	want := "×5 18 nodes each: 90\n"
	for n := range 5 {
		want += fmt.Sprintf("\trepetition %d : 18\n\t\t%s\n", n+1, strings.ReplaceAll(strings.TrimSpace(inner), "\n", "\n\t\t"))
	}
	check(t, nestedLoops().reversed(), arrange.Options{}, want+inner) // the last step uses w first
	// The first step of all, which is not like the others; the first of those, the others,
	// and the last one.
	check(t, nestedLoops(), picture, `
5 more × 2 nodes: 10
2 nodes in a row : 2
3 more × 18 nodes: 54
5 more × 2 nodes: 10
2 nodes in a row : 2
5 more × 2 nodes: 10
2 nodes in a row : 2
`)
}

func TestAPictureKeepsTheFirstAndTheLastStep(t *testing.T) {
	text := "w = Leaf\nx = Leaf\na = Sin x\nenter - Net\n"
	last := "a"
	for i := range 6 {
		text += fmt.Sprintf("v%d = Leaf\nenter layers.%d Linear\nm%d = Mul %s v%d\ns%d = Add m%d w\nleave\nr%d = Relu s%d\n", i, i, i, last, i, i, i, i, i)
		last = fmt.Sprint("r", i)
	}
	text += "leave\no = Sum " + last + "\np = Neg o\nq = Exp p\n"
	s := sketched(text)
	check(t, s, picture, `
Net : 25
	layers.0 Linear: 3
	4 more × 3 nodes: 16
		layers.1 Linear: 3
		layers.2 Linear: 3
		layers.3 Linear: 3
		layers.4 Linear: 3
	layers.5 Linear: 3
2 nodes in a row : 2
`)
	opts := picture
	opts.Roots = []int32{int32(s.Len()) - 2, 3 /* v0 */}
	check(t, s, opts, `
Net : 24
	layers.0 Linear: 2
	layers.1 Linear: 3
	3 more × 3 nodes: 12
		layers.2 Linear: 3
		layers.3 Linear: 3
		layers.4 Linear: 3
	layers.5 Linear: 3
`)
}

// A call that is entered twice is one group in a picture, and in the debugger as many as
// there are stretches of its nodes.
func TestACallBetweenWhoseNodesOthersRun(t *testing.T) {
	s := sketched("x = Leaf\nenter a A\nb = Mul x x\nc = Mul b x\nd = Mul c x\ne = Mul d x\nleave\n")
	s.modules[2] = 0 // c
	check(t, s, picture, "a A: 3\n")
	check(t, s.reversed(), arrange.Options{}, "a A: 2\n")
}

func TestOfCallsWithTheSameNodesTheOutermostIsAGroup(t *testing.T) {
	s := sketched("x = Leaf\nenter a A\nenter a.b B\nb = Mul x x\nc = Add b x\nleave\nenter a.c C\nleave\nleave\nd = Sin c\n")
	check(t, s, picture, "a A: 3\n")
	check(t, s.reversed(), arrange.Options{}, "a A: 3\n")
}

// randomSketch draws operations on any of the newest values, some of them in loops and in
// calls of modules.
func randomSketch(t *rapid.T) *sketch {
	text, values, depth := "v0 = Leaf\n", 1, 0
	period := rapid.IntRange(1, 6).Draw(t, "period")
	backs := rapid.SliceOfN(rapid.IntRange(1, 9), period, period).Draw(t, "backs")
	for i := range rapid.IntRange(1, 60).Draw(t, "lines") {
		switch kind := rapid.IntRange(0, 14).Draw(t, "kind"); {
		case kind == 0:
			text += fmt.Sprintf("v%d = Leaf\n", values)
			values++
		case kind <= 2:
			text += fmt.Sprintf("enter m%d M\n", i)
			depth++
		case kind <= 4 && depth > 0:
			text += "leave\n"
			depth--
		default:
			text += fmt.Sprintf("v%d = Op%d v%d v%d @%d\n", values, i%period, max(values-backs[i%period], 0), values-1, i%period)
			values++
		}
	}
	s := sketched(text)
	for range rapid.IntRange(0, 3).Draw(t, "elsewhere") { // nodes that another call made
		s.modules[rapid.IntRange(0, values-1).Draw(t, "node")] = rapid.SampledFrom(s.modules).Draw(t, "module")
	}
	return s
}

// members are the nodes of a group.
func members(t *arrange.Tree, g *arrange.Group) (nodes []int) {
	for place := g.First; place < g.Last; place++ {
		node := place
		if t.Order != nil {
			node = int(t.Order[place])
		}
		nodes = append(nodes, node)
	}
	slices.Sort(nodes)
	return nodes
}

func eachTree(t *testing.T, law func(t *rapid.T, s *sketch, opts arrange.Options, tree *arrange.Tree)) {
	rapid.Check(t, func(t *rapid.T) {
		s, opts := randomSketch(t), arrange.Options{}
		if rapid.Bool().Draw(t, "reversed") {
			s = s.reversed()
		}
		if opts.Together = rapid.Bool().Draw(t, "together"); opts.Together {
			opts.Chains = rapid.Bool().Draw(t, "chains")
			opts.Roots = []int32{int32(rapid.IntRange(0, s.Len()-1).Draw(t, "root"))}
		}
		opts.Between = rapid.Bool().Draw(t, "between")
		law(t, s, opts, arrange.Build(s, opts))
	})
}

func TestGroupsLieInOneAnotherOrApart(t *testing.T) {
	eachTree(t, func(t *rapid.T, s *sketch, opts arrange.Options, tree *arrange.Tree) {
		if !opts.Together && tree.Order != nil {
			t.Fatal("the order is not as it was")
		}
		if all := slices.Sorted(slices.Values(tree.Order)); tree.Order != nil && (len(all) != s.Len() || len(slices.Compact(all)) != s.Len()) {
			t.Fatalf("the order is %v", tree.Order)
		}
		for i := range tree.Groups {
			g := &tree.Groups[i]
			level, end := 0, s.Len()
			if g.Parent != arrange.None {
				outer := &tree.Groups[g.Parent]
				level, end = outer.Inner(), outer.Last
				if int(g.Parent) >= i || i >= int(outer.After) || g.First < outer.First {
					t.Fatalf("group %d lies in %d\n%s", i, g.Parent, outline(s, tree))
				}
			}
			if g.Level != level || g.Last > end || g.Len() < 2 || int(g.After) <= i {
				t.Fatalf("group %d: %+v\n%s", i, g, outline(s, tree))
			}
			if int(g.After) < len(tree.Groups) && tree.Groups[g.After].First < g.Last {
				t.Fatalf("group %d lies in %d, too\n%s", g.After, i, outline(s, tree))
			}
		}
	})
}

func TestInAPictureACallIsWholeAndLeavesAreWithTheirUsers(t *testing.T) {
	eachTree(t, func(t *rapid.T, s *sketch, opts arrange.Options, tree *arrange.Tree) {
		if !opts.Together {
			return
		}
		users := make([][]int, s.Len())
		for i, next := range s.next {
			for _, to := range next {
				users[to] = append(users[to], i)
			}
		}
		called := map[graph.ModuleID]int{}
		for i := range tree.Groups {
			g := &tree.Groups[i]
			in := members(tree, g)
			if g.Kind == arrange.ModuleCall {
				called[g.Module]++
				for n, m := range s.modules {
					for m != 0 && m != g.Module {
						m = s.g.ModuleOuter(m)
					}
					if _, inside := slices.BinarySearch(in, n); !s.Leaf(n) && inside != (m == g.Module) {
						t.Fatalf("node %d, group %d\n%s", n, i, outline(s, tree))
					}
				}
			}
			for n := range s.names {
				if !s.Leaf(n) {
					continue
				}
				want := len(users[n]) > 0 && !slices.Contains(opts.Roots, int32(n))
				for _, user := range users[n] {
					_, inside := slices.BinarySearch(in, user)
					want = want && inside
				}
				if _, inside := slices.BinarySearch(in, n); inside != want {
					t.Fatalf("leaf %d is in group %d: %v\n%s", n, i, inside, outline(s, tree))
				}
			}
		}
		for m, times := range called {
			if times != 1 {
				t.Fatalf("%d groups of call %d\n%s", times, m, outline(s, tree))
			}
		}
	})
}

// The steps of a repetition have the same operations, and there are as many as it says.
func TestRepetitionsRepeatTheSameOperations(t *testing.T) {
	eachTree(t, func(t *rapid.T, s *sketch, opts arrange.Options, tree *arrange.Tree) {
		for i := range tree.Groups {
			g := &tree.Groups[i]
			if g.Kind != arrange.Repetition {
				continue
			}
			var names []string
			for _, n := range members(tree, g) {
				if !opts.Together || !s.Leaf(n) {
					names = append(names, s.names[n])
				}
			}
			least := arrange.MinTimes
			if g.Between {
				least -= 2
			}
			if g.Between != opts.Between || g.Times < least || len(names) != g.Times*g.Each {
				t.Fatalf("group %d: %+v\n%s", i, g, outline(s, tree))
			}
			counts := map[string]int{}
			for _, name := range names {
				counts[name]++
			}
			for name, n := range counts {
				if n%g.Times != 0 && !strings.Contains(outline(s, tree), " M:") { // calls are equal by their size
					t.Fatalf("group %d has %s %d times\n%s", i, name, n, outline(s, tree))
				}
			}
		}
	})
}

func TestAChainIsNodesInARow(t *testing.T) {
	eachTree(t, func(t *rapid.T, s *sketch, opts arrange.Options, tree *arrange.Tree) {
		for i := range tree.Groups {
			g := &tree.Groups[i]
			if g.Kind != arrange.Chain {
				continue
			}
			var row []int
			for _, n := range members(tree, g) {
				if !s.Leaf(n) {
					row = append(row, n)
				}
			}
			users := map[int32][]int{}
			for n, next := range s.next {
				for _, to := range slices.Compact(slices.Sorted(slices.Values(next))) {
					users[to] = append(users[to], n)
				}
			}
			linked := 0
			for _, n := range row {
				inputs := slices.Compact(slices.Sorted(slices.Values(s.next[n])))
				if len(inputs) != 1 || len(users[int32(n)]) != 1 || slices.Contains(opts.Roots, int32(n)) {
					t.Fatalf("node %d is in the chain %v", n, row)
				}
				if slices.Contains(row, int(inputs[0])) {
					linked++
				}
			}
			if linked != len(row)-1 || g.Each != len(row) {
				t.Fatalf("%v is not a chain: %+v", row, g)
			}
		}
	})
}

func TestEachNodeIsInOneRow(t *testing.T) {
	eachTree(t, func(t *rapid.T, s *sketch, opts arrange.Options, tree *arrange.Tree) {
		folded := rapid.SliceOfN(rapid.Bool(), len(tree.Groups), len(tree.Groups)).Draw(t, "folded")
		end := 0
		tree.Walk(s.Len(), folded, func(first int, group, around int32) {
			if first != end {
				t.Fatalf("a row begins at %d, the one before ends at %d\n%s", first, end, outline(s, tree))
			}
			if end++; group != arrange.None {
				end = tree.Groups[group].Last
			}
			for g := around; g != arrange.None; g = tree.Groups[g].Parent {
				if folded[g] != (g == group) || tree.Groups[g].First > first || tree.Groups[g].Last < end {
					t.Fatalf("the row at %d lies in group %d\n%s", first, g, outline(s, tree))
				}
			}
		})
		if end != s.Len() {
			t.Fatalf("%d nodes of %d are in rows", end, s.Len())
		}
	})
}
