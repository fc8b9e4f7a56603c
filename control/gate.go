package control

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/query"
)

// A Gate decides for each event whether the program stops there. It is the
// engine's end of control; autograd.Recorder takes it with SetGate.
type Gate struct {
	// armed says that there is something to look out for; free running costs
	// one look at it.
	armed atomic.Bool

	mu        sync.Mutex
	change    sync.Cond
	points    []*point
	step      Step
	stepping  bool
	left      int // steps, with the one that has begun
	interrupt bool
	detached  bool
	ahead     bool // the program runs ahead of its events
	stopped   bool
	onCommand func()
	stop      Stop
	onStop    func(Stop)

	answer   func(Ask) Answer // nil: the program cannot answer
	cancel   func()           // ends an answer that takes long
	onAnswer func(Answer)
	asked    *Ask // the question that is open
	asking   bool // the program works on its answer

	// Of the program, seen from the events.
	run     *query.Run
	values  atomic.Bool             // breakpoints ask what tensors look like
	awaited map[graph.TensorID]bool // the tensors that breakpoints name; nil: not known yet
	awaits  map[graph.StringID]bool // whether breakpoints name tensors so
	level   int                     // passes or modules when the step began
	where   graph.StackID           // the newest call stack
}

// A point is a breakpoint that is being asked.
type point struct {
	Breakpoint
	query  *query.Query
	needs  query.Needs
	asked  *query.Matcher
	passed int
}

// NewGate returns a gate that is open. onStop is called, outside of all locks,
// when the program has stopped, by the program's own thread.
func NewGate(onStop func(Stop)) *Gate {
	g := &Gate{onStop: onStop, run: query.NewRun(), awaits: map[graph.StringID]bool{}}
	g.change.L = &g.mu
	return g
}

// OnCommand makes the gate call f after each command, in the goroutine that gave it. It
// is for a program that has to be told that there is something to look out for. f must not
// call the gate.
func (g *Gate) OnCommand(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.onCommand = f
}

// Ahead tells the gate whether the program runs ahead of its events. An interrupt stops a
// program that does when it no longer does, so that it stands where the tape ends.
func (g *Gate) Ahead(is bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ahead = is
}

// Do carries out a command. It may be called by any goroutine.
func (g *Gate) Do(c Command) error {
	if err := c.Check(); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.do(c)
	if g.onCommand != nil {
		g.onCommand() // before a program that stands can go on
	}
	return nil
}

func (g *Gate) do(c Command) {
	if c.Breakpoints != nil {
		g.points, g.awaited, g.awaits = nil, nil, map[graph.StringID]bool{}
		values := false
		for _, b := range *c.Breakpoints {
			q, err := query.Parse(b.Query)
			if err != nil {
				continue // Check has said so
			}
			p := &point{Breakpoint: b, query: q, needs: q.Needs(), asked: q.Start(g.run)}
			values = values || p.needs.Values
			g.points = append(g.points, p)
		}
		g.values.Store(values)
	}
	if c.Ask != nil {
		g.ask(*c.Ask)
	}
	if (c.Interrupt || c.Detach || c.Resume) && g.asked != nil && g.cancel != nil {
		g.cancel()
	}
	if c.Interrupt && !g.stopped && !g.detached {
		g.interrupt = true
	}
	if c.Resume && (g.stopped || !g.stepping) {
		g.stopped, g.step, g.stepping = false, c.Step, c.Step != Continue
		g.level, g.left = g.inside(), max(c.Times, 1)
		g.change.Broadcast()
	}
	if c.Detach {
		g.detached, g.stopped, g.stepping, g.interrupt, g.points = true, false, false, false, nil
		g.change.Broadcast()
	}
	g.armed.Store(g.stepping || g.interrupt || len(g.points) > 0)
}

// Saw looks at an event that was appended to the tape, which is locked, and
// reports whether the program is to stop.
func (g *Gate) Saw(b graph.Batch, h graph.Header, e graph.Event) bool {
	from := g.where
	if h.Stack != 0 {
		g.where = h.Stack
	}
	g.run.Remember(g.values.Load())
	g.run.Take(h, e)
	if !g.armed.Load() {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.await(b, e)
	if g.asking {
		return false
	}
	arrived := g.stepping && steps[g.step].Ends(graph.StopFacts{
		Kind: e.Kind(), Before: g.level, After: g.inside(), From: b.StackOf(from).Top(), Here: b.StackOf(h.Stack).Top(),
	})
	return g.decide(b, h, 0, arrived, func(p *point) bool { return p.asked.Saw(b, h, e) })
}

// Starts reports whether the program is to stop before a node of a backward pass
// runs.
func (g *Gate) Starts(b graph.Batch, h graph.Header, node graph.NodeID) bool {
	if !g.armed.Load() {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.asking {
		return false
	}
	arrived := g.stepping && steps[g.step].Ends(graph.StopFacts{NodeRuns: true})
	return g.decide(b, h, node, arrived, func(p *point) bool { return p.asked.Starts(b, h, node) })
}

// decide stops the program if there is a reason to: the last step is over, or a breakpoint
// is hit.
func (g *Gate) decide(b graph.Batch, h graph.Header, node graph.NodeID, arrived bool, hit func(*point) bool) bool {
	if arrived {
		g.level, g.left = g.inside(), g.left-1
		arrived = g.left == 0
	}
	stop := Stop{Events: b.Len(), Thread: uint32(h.Thread), Node: uint32(node)}
	for _, p := range g.points { // each is asked about each event
		if hit(p) {
			if p.passed++; p.passed > p.Skip && stop.Reason == "" {
				stop.Reason, stop.Breakpoint = BreakpointHit, p.ID
			}
		}
	}
	switch {
	case g.interrupt && !g.ahead:
		stop.Reason, stop.Breakpoint = Interrupted, 0
	case arrived:
		stop.Reason, stop.Breakpoint = StepEnded, 0
	}
	if stop.Reason == "" {
		return false
	}
	g.stop, g.stopped, g.stepping, g.interrupt = stop, true, false, false
	g.armed.Store(len(g.points) > 0)
	return true
}

// Wait blocks the program until it may go on. It is called after Saw has said
// so, when the tape is not locked any more.
func (g *Gate) Wait() {
	g.mu.Lock()
	stop, stopped := g.stop, g.stopped
	g.mu.Unlock()
	if !stopped {
		return
	}
	if g.onStop != nil {
		g.onStop(stop)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.stopped || g.asked != nil {
		if g.asked != nil {
			g.respond()
		} else {
			g.change.Wait()
		}
	}
}

// Name tells the gate a name that no event of the program has. Only the program's
// thread may call it.
func (g *Gate) Name(t graph.TensorID, name graph.StringID) { g.run.Name(t, name) }

// await keeps account of which tensors breakpoints name.
func (g *Gate) await(b graph.Batch, e graph.Event) {
	if g.awaited == nil {
		g.awaited = map[graph.TensorID]bool{}
		for t, name := range g.run.Names() {
			if g.isAwaited(b, name) {
				g.awaited[t] = true
			}
		}
		return
	}
	switch e := e.(type) {
	case *graph.NameBound:
		if g.isAwaited(b, e.Name) {
			g.awaited[e.Tensor] = true
		} else {
			delete(g.awaited, e.Tensor)
		}
	case *graph.TensorReleased:
		delete(g.awaited, e.Tensor)
	}
}

func (g *Gate) isAwaited(b graph.Batch, name graph.StringID) bool {
	is, known := g.awaits[name]
	if !known {
		text := b.Text(name)
		is = slices.ContainsFunc(g.points, func(p *point) bool {
			return slices.ContainsFunc(p.needs.Tensors, func(pattern string) bool { return query.Matches(pattern, text) })
		})
		g.awaits[name] = is
	}
	return is
}

// inside is how many spans the program is in, of the step's rule.
func (g *Gate) inside() int {
	if steps[g.step].Enter == graph.ModuleStops.Enter {
		return g.run.Modules()
	}
	return g.run.Passes()
}
