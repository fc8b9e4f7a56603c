package control

import (
	"path"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gradtui/gradtui/graph"
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
	interrupt bool
	detached  bool
	ahead     bool // the program runs ahead of its events
	stopped   bool
	onCommand func()
	stop      Stop
	onStop    func(Stop)

	// Of the program, seen from the events.
	names   map[graph.TensorID]graph.StringID // of those that have not been released
	awaited map[graph.TensorID]bool           // those that breakpoints name; nil: not known yet
	nodes   map[graph.NodeID]graph.StringID
	results map[graph.TensorID]graph.Value // of the newest operation
	ran     bool                           // that has run
	passes  int                            // backward passes that are running
	modules int                            // forward passes of modules
	level   int                            // passes or modules when the step began
	where   graph.StackID                  // the newest call stack
}

// A point is a breakpoint with what was found out about it.
type point struct {
	Breakpoint
	passed int
	match  map[graph.StringID]bool
	inside bool          // the last event was on the line
	at     graph.StackID // where the line was entered last
}

// NewGate returns a gate that is open. onStop is called, outside of all locks,
// when the program has stopped, by the program's own thread.
func NewGate(onStop func(Stop)) *Gate {
	g := &Gate{onStop: onStop, names: map[graph.TensorID]graph.StringID{}, nodes: map[graph.NodeID]graph.StringID{}, results: map[graph.TensorID]graph.Value{}}
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
		g.points = nil
		for _, b := range *c.Breakpoints {
			g.points = append(g.points, &point{Breakpoint: b, match: map[graph.StringID]bool{}})
		}
		g.awaited = nil
	}
	if c.Interrupt && !g.stopped && !g.detached {
		g.interrupt = true
	}
	if c.Resume && (g.stopped || !g.stepping) {
		g.stopped, g.step, g.stepping = false, c.Step, c.Step != Continue
		g.level = g.inside()
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
	g.follow(e)
	if !g.armed.Load() {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.remember(e)
	g.await(b, e)
	arrived := g.stepping && steps[g.step].Ends(graph.StopFacts{
		Kind: e.Kind(), Before: g.level, After: g.inside(), From: b.StackOf(from).Top(), Here: b.StackOf(h.Stack).Top(),
	})
	return g.decide(b, h, 0, arrived, func(p *point) bool { return g.hit(p, b, h, e) && g.holds(p.If, e) })
}

// Starts reports whether the program is to stop before a node of a backward pass
// runs.
func (g *Gate) Starts(b graph.Batch, h graph.Header, node graph.NodeID) bool {
	if !g.armed.Load() {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	arrived := g.stepping && steps[g.step].Ends(graph.StopFacts{NodeRuns: true})
	return g.decide(b, h, node, arrived, func(p *point) bool {
		return p.On == OnOp && p.If == Condition{} && p.names(b, g.nodes[node])
	})
}

// decide stops the program if there is a reason to: the step is over, or a breakpoint
// is hit.
func (g *Gate) decide(b graph.Batch, h graph.Header, node graph.NodeID, arrived bool, hit func(*point) bool) bool {
	stop := Stop{Events: b.Len(), Thread: uint32(h.Thread), Node: uint32(node)}
	switch {
	case g.interrupt && !g.ahead:
		stop.Reason = Interrupted
	case arrived:
		stop.Reason = StepEnded
	default:
		for _, p := range g.points {
			if hit(p) {
				if p.passed++; p.passed > p.Skip {
					stop.Reason, stop.Breakpoint = BreakpointHit, p.ID
				}
			}
		}
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
	for g.stopped {
		g.change.Wait()
	}
}

// Name tells the gate a name that no event of the program has. Only the program's
// thread may call it.
func (g *Gate) Name(t graph.TensorID, name graph.StringID) { g.names[t] = name }

// follow keeps account of what conditions refer to. Only the program's thread
// calls it.
func (g *Gate) follow(e graph.Event) {
	switch e := e.(type) {
	case *graph.NameBound:
		g.names[e.Tensor] = e.Name
	case *graph.TensorReleased:
		delete(g.names, e.Tensor)
	case *graph.NodeCreated:
		g.nodes[e.Node] = e.Name
	case *graph.BackwardBegan:
		g.passes++
	case *graph.BackwardEnded, *graph.BackwardFailed:
		g.passes--
	case *graph.ModuleEntered:
		g.modules++
	case *graph.ModuleLeft:
		g.modules--
	}
}

// await keeps account of which tensors breakpoints name.
func (g *Gate) await(b graph.Batch, e graph.Event) {
	if g.awaited == nil {
		g.awaited = map[graph.TensorID]bool{}
		for t, name := range g.names {
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
	return slices.ContainsFunc(g.points, func(p *point) bool { return p.namesTensors() && p.names(b, name) })
}

// namesTensors reports whether the breakpoint's pattern is of names of tensors.
func (p *point) namesTensors() bool { return p.On == OnTensor || p.On == OnInPlace && p.Pattern != "" }

// inside is how many spans the program is in, of the step's rule.
func (g *Gate) inside() int {
	if steps[g.step].Enter == graph.ModuleStops.Enter {
		return g.modules
	}
	return g.passes
}

// hit reports whether an event is what a breakpoint waits for.
func (g *Gate) hit(p *point, b graph.Batch, h graph.Header, e graph.Event) bool {
	switch p.On {
	case OnOp:
		e, ok := e.(*graph.OpRan)
		return ok && p.names(b, e.Op)
	case OnLine:
		switch e.Kind() {
		case graph.KindOpRan, graph.KindBackwardBegan, graph.KindGradsZeroed, graph.KindRaised, graph.KindLineReached:
			top := b.StackOf(h.Stack).Top()
			here := top.Line == p.Line && matches(top.File, p.File)
			// Once for each time that the program comes to the line, however
			// much happens there.
			arrives := here && (!p.inside || h.Stack == p.at)
			if arrives {
				p.at = h.Stack
			}
			p.inside = here
			return arrives
		}
	case OnTensor:
		switch e := e.(type) {
		case *graph.NameBound:
			return p.names(b, e.Name)
		case *graph.Mutated:
			return p.names(b, g.names[e.Tensor])
		case *graph.GradAccumulated:
			return p.names(b, g.names[e.Tensor])
		}
	case OnInPlace:
		e, ok := e.(*graph.Mutated)
		return ok && (p.Pattern == "" || p.names(b, g.names[e.Tensor]))
	case OnFree:
		e, ok := e.(*graph.SavedFreed)
		return ok && (p.Pattern == "" || p.names(b, g.nodes[e.Node]))
	case OnNotFinite:
		return notFinite(e)
	case OnWarning:
		return e.Kind() == graph.KindWarned
	case OnError:
		return e.Kind() == graph.KindRaised
	}
	return false
}

// names reports whether a name matches the breakpoint's pattern.
func (p *point) names(b graph.Batch, name graph.StringID) bool {
	if name == 0 {
		return false
	}
	ok, known := p.match[name]
	if !known {
		text := b.Text(name)
		ok, _ = path.Match(p.Pattern, text)
		ok = ok || text == p.Pattern // layers[0]
		p.match[name] = ok
	}
	return ok
}

// notFinite reports whether an event brings a NaN or an infinity.
func notFinite(e graph.Event) bool {
	return slices.ContainsFunc(brought(e), func(v graph.Value) bool { return !v.Finite() })
}
