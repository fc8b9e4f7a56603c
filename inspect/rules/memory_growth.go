package rules

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/inspect/internal/running"
)

var memoryGrowth = inspect.Rule{
	Code:     "memory-growth",
	Severity: inspect.SeverityWarning,
	Title:    "Graphs of earlier iterations are kept alive, or one graph is built from thousands of tiny operations.",
	Watch: func(check *inspect.Checker) inspect.Observer {
		return &growth{
			check: check, iterations: iterations{h: check.History}, links: make([]int32, 1),
			crowds: map[graph.StackID]*crowd{}, alive: map[graph.TensorID]graph.StackID{}, all: map[graph.TensorID]graph.StackID{}, crumbs: newCrumbs(check),
		}
	},
}

// growth follows graphs through the iterations of a program.
type growth struct {
	check      *inspect.Checker
	iterations iterations
	links      []int32 // by NodeID: how many iterations the graph behind the node spans; -1: an AccumulateGrad
	joins      tally   // operations that tie a new graph to one of an earlier iteration
	longest    int32
	older      graph.NodeID                     // the end of the older graph, where the longest was tied
	crowds     map[graph.StackID]*crowd         // by the place that makes tensors with a graph
	order      []graph.StackID                  // of crowds
	alive      map[graph.TensorID]graph.StackID // the members of crowds
	all        map[graph.TensorID]graph.StackID // the members, and further tensors of one iteration
	fresh      []graph.TensorID                 // made since the program came to its newest call stack
	stop       graph.StackID
	releases   bool // the tape says when the program releases tensors; a Go program's does not
	crumbs     *crumbs
	running    running.Passes
}

// A crowd holds tensors that one line made in different iterations and that the program still
// has.
type crowd struct {
	all    int // tensors that are alive and not saved by a node, including several of one iteration
	most   int
	live   int
	peak   int
	gone   int // since the newest came
	newest int // iteration
	member graph.TensorID
	window bool // old ones go when new ones come: there are never more
	hooked bool // hooks differentiate them: they go when the graph goes that has the hooks
}

const (
	enoughLinks    = 4  // iterations that a graph has to span; a sum without a backward pass may begin again before
	enoughKept     = 5  // tensors of one line that have to be alive
	smallGraph     = 2  // nodes: a smaller graph is not worth reporting
	enoughUnneeded = 20 // tensors of one line in a program that runs no backward pass
)

// Settle looks at the updates that will be forgotten.
func (g *growth) Settle(before graph.Pos) { g.iterations.at(before) }

func (g *growth) Event(p graph.Pos, head graph.Header, e graph.Event) {
	if head.Stack != g.stop {
		for _, t := range g.fresh {
			g.born(t)
		}
		g.fresh, g.stop = g.fresh[:0], head.Stack
	}
	switch e := e.(type) {
	case *graph.NodeCreated:
		g.link(p, head.Stack, e)
		g.crumbs.add(head.Stack, e)
		for _, s := range e.Saved {
			if s.Flags&graph.SavedOutput == 0 { // PyTorch keeps it for the node; whether the program has it is unknown
				g.leaves(s.Tensor)
			}
		}
	case *graph.TensorCreated:
		if e.Node != 0 && e.Flags&graph.FlagGradient == 0 {
			if g.check.Running() == 0 {
				g.fresh = append(g.fresh, e.Tensor)
			}
			g.crumbs.size(e)
		}
	case *graph.TensorReleased:
		g.releases = true
		g.fresh = slices.DeleteFunc(g.fresh, func(t graph.TensorID) bool { return t == e.Tensor })
		g.leaves(e.Tensor)
		if s, ok := g.alive[e.Tensor]; ok {
			delete(g.alive, e.Tensor)
			g.crowds[s].live--
			g.crowds[s].gone++
		}
	case *graph.BackwardBegan:
		g.crumbs.judge(e.Roots)
		if len(g.running) > 0 {
			g.differentiates(e.Roots)
		}
		g.running.Began(e.Backward)
	case *graph.BackwardEnded:
		g.running.Ended(e.Backward)
	}
}

// differentiates notes the roots of a pass that a hook runs in another pass. The functions of hooks hold
// what they read, and the engine may free them later than the graph.
func (g *growth) differentiates(roots []graph.Root) {
	for _, r := range roots {
		if s, ok := g.alive[r.Tensor]; ok {
			g.crowds[s].hooked = true
		}
	}
}

// leaves removes a tensor from the ones of its line that only the program holds.
func (g *growth) leaves(t graph.TensorID) {
	if s, ok := g.all[t]; ok {
		delete(g.all, t)
		g.crowds[s].all--
	}
}

// link finds out how many iterations the graph of a new node spans.
func (g *growth) link(p graph.Pos, s graph.StackID, e *graph.NodeCreated) {
	if int(e.Node) != len(g.links) {
		return
	}
	if e.Variable != 0 { // lives as long as its leaf
		g.links = append(g.links, -1)
		return
	}
	now := g.iterations.at(p)
	var longest int32
	var older graph.NodeID
	for _, edge := range e.Edges {
		if edge.Node == 0 || int(edge.Node) >= len(g.links) || g.links[edge.Node] < 0 {
			continue
		}
		n, tied := g.links[edge.Node], graph.NodeID(0)
		if g.iterations.at(g.check.NodeMade(edge.Node)) < now {
			n, tied = n+1, edge.Node
		}
		if n > longest {
			longest, older = n, tied
		}
	}
	g.links = append(g.links, longest)
	if older != 0 && longest > 1 {
		if g.joins.count[s] == 0 {
			g.check.Remember(p)
		}
		g.joins.add(s, p)
		if longest > g.longest {
			g.longest, g.older = longest, older
		}
	}
}

// born adds a tensor to the crowd of its line if it is the line's first one in an iteration.
func (g *growth) born(t graph.TensorID) {
	s, p := g.check.Tensor(t).Stack, g.check.Tensor(t).Created
	c := g.crowds[s]
	if c == nil {
		c = &crowd{newest: -1}
		g.crowds[s] = c
		g.order = append(g.order, s)
	}
	c.all++
	c.most = max(c.most, c.all)
	g.all[t] = s
	now := g.iterations.at(p)
	if now == c.newest {
		return
	}
	c.window = c.window || c.live >= enoughKept-2 && c.gone > 0 && c.gone <= 2
	c.newest, c.gone, c.member = now, 0, t
	c.live++
	c.peak = max(c.peak, c.live)
	g.alive[t] = s
}

func (g *growth) End() {
	if _, failed := g.check.Failed(); failed {
		return
	}
	g.crumbs.atEnd()
	if !g.reportChain() && !g.reportCrowd() {
		g.reportUnusedSum()
	}
}

func (g *growth) reportChain() bool {
	stack, at, n := g.joins.most()
	if n < enoughLinks-1 || g.longest < enoughLinks && !g.idleSum(stack, at) {
		return false
	}
	check := g.check
	join := check.In(stack, at, "connects this iteration's graph to the graphs of all earlier ones")
	f := inspect.Finding{
		Message: fmt.Sprintf("one graph grows over %d iterations, and memory with it", g.longest+1),
		Primary: join,
		Help:    "add up numbers instead of tensors: use .item() or .detach()",
		At:      at,
		Symptom: -1,
		Evidence: facts(
			check.In(stack, at, fmt.Sprintf("a node of this line joined a graph of an earlier iteration %s", times(n))),
			fact("the longest graph spans %s", several(int(g.longest), "iteration")),
		),
	}
	if op := check.NodeOp(g.older); op != nil && len(op.Outputs) > 0 {
		out := op.Outputs[0]
		f.Tensors = names(check.History, out)
		if made := check.In(op.Stack, op.At, "made here with its graph"); made.Line != join.Line || made.File != join.File {
			f.Primary = check.Keeper(out, check.Text(join.Frame), "keeps a tensor with its graph for the next iteration")
			f.Related = []inspect.Span{join, made}
			f.Help = "keep a detached tensor: .detach()"
		}
	}
	check.Report(f)
	return true
}

// idleSum reports whether an operation adds to a single number through which no backward pass has run, such
// as the sum of the losses of an epoch.
func (g *growth) idleSum(stack graph.StackID, at graph.Pos) bool {
	op := g.check.OpAt(at)
	if op == nil || op.Stack != stack || op.Name != "add" && op.Name != "add_" || len(op.Outputs) != 1 || numel(g.check.Tensor(op.Outputs[0]).Shape) != 1 {
		return false
	}
	node, ok := g.check.Graph().Node(op.Node)
	return ok && node.Runs == 0
}

// keeping is code that puts what a call returns into a container.
var keeping = regexp.MustCompile(`\.(append|add|insert|put|appendleft|extend|setdefault)\(|\]\s*=[^=]|\+=`)

func (g *growth) reportCrowd() bool {
	check := g.check
	if !g.releases {
		return false
	}
	var found []graph.StackID
	for _, s := range g.order {
		c := g.crowds[s]
		if len(check.Passes()) == 1 { // no backward pass: nothing needs the graphs
			c.window = c.most < enoughUnneeded
		}
		if g.kept(c) >= enoughKept && !c.window && !c.hooked && graphAtLeast(check.History, check.Tensor(c.member).Node, smallGraph) {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		return false
	}
	label := "keeps the tensor and its graph"
	s := found[0]
	var k keeper
	known := false
	for _, each := range found { // tensors that are in no container may be kept by the graphs of others
		if k, known = g.keeper(each, label); known {
			s = each
			break
		}
	}
	c := g.crowds[s]
	each := "one more in each iteration"
	if len(check.Passes()) == 1 {
		each = "and no backward pass needs them"
	}
	made := check.Tensor(c.member).Created
	evidence := []inspect.Span{
		check.At(made, fmt.Sprintf("%d tensors of this line are alive at once", g.kept(c))),
		check.At(made, fmt.Sprintf("the graph behind one of them has %d nodes or more", smallGraph)),
	}
	if known {
		evidence = append(evidence, k.found)
	} else {
		k.line = g.likelyKeeper(c.member, made, label)
	}
	check.Report(inspect.Finding{
		Message:  fmt.Sprintf("%d tensors made at one line are kept with their graphs, %s", g.kept(c), each),
		Primary:  k.line,
		Related:  append(k.also, check.At(made, "made here with its graph")),
		Tensors:  names(check.History, c.member),
		Help:     "keep numbers or detached tensors: .item() or .detach()",
		Evidence: facts(evidence...),
		At:       made,
		Symptom:  -1,
	})
	return true
}

// likelyKeeper returns the line that is the likeliest to keep a tensor, if no place of it was found.
func (g *growth) likelyKeeper(t graph.TensorID, made graph.Pos, label string) inspect.Span {
	for _, caller := range g.check.Callers(made) {
		if keeping.MatchString(g.check.LineText(caller.File, caller.Line)) {
			caller.Label = label
			return caller
		}
	}
	return g.check.Keeper(t, "", label)
}

// kept returns how many tensors of a line the program keeps: of each iteration one, if it runs backward
// passes.
func (g *growth) kept(c *crowd) int {
	if len(g.check.Passes()) == 1 {
		return c.most
	}
	return c.peak
}

// A keeper is a statement that keeps the tensors of a line.
type keeper struct {
	line  inspect.Span
	also  []inspect.Span // the call that leads to it
	found inspect.Span   // an iteration that found a tensor there
}

// keeper returns the statement that puts tensors made at a line where the program keeps them; ok is false if
// that is not known. If a function that keeps what it is given is given numbers elsewhere, it is the call.
func (g *growth) keeper(made graph.StackID, label string) (k keeper, ok bool) {
	for _, place := range g.check.MadeAt(made) {
		if !place.InContainer() && place.Seen == place.Since {
			continue // it may hold another one in each iteration
		}
		put := g.check.Put(place, label)
		if len(put) == 0 {
			continue
		}
		k = keeper{line: put[0], found: g.check.At(place.Since, fmt.Sprintf("one of them is `%s`", place.Path))}
		calls, numbers := g.check.Handed(place, put[0], "hands the tensor over with its graph")
		if k.also = inspect.Lines(calls, 1); numbers && len(k.also) > 0 {
			k.line, k.also[0] = k.also[0], k.line
		}
		return k, true
	}
	return k, false
}

// enoughTerms is how many terms a sum needs to be reported if it is never differentiated.
const enoughTerms = 8

// reportUnusedSum looks for a sum of losses in a program that trains, which no
// backward pass ever comes to: an evaluation outside no_grad.
func (g *growth) reportUnusedSum() {
	check := g.check
	if check.Updates().Len() == 0 {
		return
	}
	type sum struct {
		last  graph.TensorID
		terms int
	}
	sums := map[graph.StackID]sum{}
	for _, op := range check.Ops().All() {
		if op.Node == 0 || op.Name != "add" && op.Name != "add_" || len(op.Inputs) == 0 || len(op.Outputs) == 0 || numel(check.Tensor(op.Outputs[0]).Shape) != 1 {
			continue
		}
		s := sums[op.Stack]
		if !slices.Contains(op.Inputs, s.last) {
			s.terms = 0
		}
		s.last, s.terms = op.Outputs[0], s.terms+1
		sums[op.Stack] = s
		node, ok := check.Graph().Node(op.Node)
		if s.terms < enoughTerms || s.terms&(s.terms-1) != 0 || !ok || node.Runs > 0 || check.InLibrary(op.Stack) || !g.forwards(op.Node, s.terms) {
			continue
		}
		check.Report(inspect.Finding{
			Message: "a sum keeps the graphs of all its terms, and no backward pass uses them",
			Primary: check.In(op.Stack, op.At, "adds a tensor with its graph"),
			Related: []inspect.Span{check.At(created(check.History, op.Inputs[len(op.Inputs)-1]), "made here with its graph")},
			Tensors: names(check.History, s.last),
			Help:    "add up numbers with .item(), and evaluate inside torch.no_grad()",
			Evidence: facts(
				check.In(op.Stack, op.At, fmt.Sprintf("the sum has %d terms or more, each with a graph of its own", s.terms)),
				fact("no backward pass comes to it"),
			),
			At:      op.At,
			Symptom: -1,
		})
		return
	}
}

// forwards reports whether the graph behind a sum is of so many forward passes that no backward pass
// comes to: each term adds nodes, and most of them read the same leaf. A graph that is used in part,
// such as the time of a simulation, costs little; so does a sum over parameters, such as a norm.
func (g *growth) forwards(sum graph.NodeID, terms int) bool {
	seen, readers := map[graph.NodeID]bool{}, map[graph.NodeID]int{}
	nodes, shared := 0, 0
	for queue := []graph.NodeID{sum}; len(queue) > 0; queue = queue[1:] {
		node, ok := g.check.Graph().Node(queue[0])
		if _, trained := g.check.Gains()[node.Variable]; ok && node.Variable != 0 {
			if !trained {
				return false // what keeps all losses from it is another fault
			}
			readers[node.ID]++
			shared = max(shared, readers[node.ID])
		}
		if !ok || seen[node.ID] || node.Variable != 0 {
			continue
		}
		seen[node.ID] = true
		if node.Runs > 0 {
			return false
		}
		nodes++
		for _, edge := range node.Edges {
			queue = append(queue, edge.Node)
		}
	}
	return nodes >= 3*terms && shared > terms/2
}

// iterations numbers the iterations of a program: one ends when parameters are
// updated.
type iterations struct {
	h    *inspect.History
	ends []graph.Pos
	seen int // updates
	last inspect.Update
}

// at returns the number of the iteration that an event belongs to.
func (it *iterations) at(p graph.Pos) int {
	updates := it.h.Updates()
	for ; it.seen < updates.Len(); it.seen++ {
		u := *updates.At(it.seen)
		if it.seen == 0 || !it.together(it.last, u) {
			it.ends = append(it.ends, u.At)
		}
		it.last = u
	}
	return countBefore(it.ends, p)
}

// together reports whether two updates belong together: to one step of an optimizer, or to what a
// program does after one backward pass.
func (it *iterations) together(a, b inspect.Update) bool {
	if a.Step >= 0 || b.Step >= 0 {
		return a.Step == b.Step
	}
	return passAt(it.h, a.At) == passAt(it.h, b.At)
}
