package usage

import (
	"sort"
	"time"

	"github.com/gradtui/gradtui/graph"
)

// An Iteration is one iteration of the program's main loop: the events from From to To, without To.
type Iteration struct {
	Number   int // counts from 1
	From, To graph.Pos
	Done     bool // false: the program may still have been in it
}

// Iterations returns the iterations of the program's main loop in the first events of a tape. A
// tape has no loops, so they follow from other events: the Iteration events that the program
// gave; or else what lies between the steps of an optimizer at the call stack that has most of them,
// or between the backward passes of one call stack; or else, in a program that only runs
// forward, what lies between the visits of the outermost line that recurs. What comes
// after the last one is an iteration too, not finished, if the loop begins again.
func Iterations(tape *graph.Tape, events graph.Pos) []Iteration {
	iterations, _ := MainLoop(tape, events)
	return iterations
}

// MainLoop returns the iterations, as [Iterations] does, and the call stack of the event that
// separates them; 0 without a loop.
func MainLoop(tape *graph.Tape, events graph.Pos) ([]Iteration, graph.StackID) {
	l := NewLoop(tape)
	for l.events < events {
		l.Next()
	}
	if ends := l.ends(); ends != nil {
		return l.endedAt(ends), l.stack(ends[0])
	}
	starts := l.given
	if len(starts) == 0 {
		starts = l.visits()
	}
	if len(starts) == 0 {
		return nil, 0
	}
	return l.begunAt(starts), l.stack(starts[0])
}

// A Loop looks for the iterations of a tape, event by event.
type Loop struct {
	tape   *graph.Tape
	dec    *graph.Decoder
	events graph.Pos // how many were looked at

	given         []graph.Pos
	steps, passes recurrence
	ended         ended
}

// NewLoop returns a loop that has looked at no events yet.
func NewLoop(tape *graph.Tape) *Loop { return &Loop{tape: tape, dec: tape.NewDecoder()} }

// Pos returns how many events the loop has looked at.
func (l *Loop) Pos() graph.Pos { return l.events }

// Next looks at one more event and returns its kind.
func (l *Loop) Next() graph.Kind {
	p := l.events
	l.events++
	k, err := l.dec.Kind(p)
	if err != nil {
		return 0
	}
	switch k {
	case graph.KindIteration:
		l.given = append(l.given, p)
	case graph.KindOptimizerStepped:
		if head, e, err := l.dec.ReadUntimed(p); err == nil && e.(*graph.OptimizerStepped).Done {
			l.steps.add(head.Stack, p)
		}
	case graph.KindBackwardEnded, graph.KindBackwardFailed:
		l.passes.add(l.stack(p), p)
	}
	return k
}

// ends returns the events that end an iteration each; nil if there are none, or if events begin
// the iterations.
func (l *Loop) ends() []graph.Pos {
	if len(l.given) > 0 {
		return nil
	}
	for _, r := range []*recurrence{&l.steps, &l.passes} {
		if ends := r.most(); len(ends) > 1 {
			return ends
		}
	}
	return nil
}

// Starts returns the first events of the iterations so far, without looking for lines that
// recur. It costs what the tape has grown by.
func (l *Loop) Starts() []graph.Pos {
	if ends := l.ends(); ends != nil {
		return l.follow(ends).starts
	}
	return l.given
}

func (l *Loop) stack(p graph.Pos) graph.StackID {
	head, err := l.dec.Header(p)
	if err != nil {
		return 0
	}
	return head.Stack
}

// A recurrence holds when something happened at each call stack.
type recurrence struct {
	stacks []graph.StackID // in order of their first time
	at     map[graph.StackID][]graph.Pos
}

func (r *recurrence) add(s graph.StackID, p graph.Pos) {
	if r.at == nil {
		r.at = map[graph.StackID][]graph.Pos{}
	}
	if r.at[s] == nil {
		r.stacks = append(r.stacks, s)
	}
	r.at[s] = append(r.at[s], p)
}

// most returns the times of the call stack that has most of them. If a loop has several such
// stacks, as for the steps of two optimizers, it is the last one; it may have one time less if the
// last iteration did not finish.
func (r *recurrence) most() (times []graph.Pos) {
	for _, s := range r.stacks {
		if len(r.at[s])+1 >= len(times) && len(r.at[s]) > 1 {
			times = r.at[s]
		}
	}
	return times
}

// begunAt makes iterations of an event that begins each. The last one ends with what
// ran in the others too.
func (l *Loop) begunAt(starts []graph.Pos) (found []Iteration) {
	body := map[graph.StackID]bool{}
	for i, p := range starts {
		to := l.events
		if i+1 < len(starts) {
			to = starts[i+1]
			for q := p; q < to; q++ {
				body[l.stack(q)] = true
			}
		} else if i > 0 {
			to = l.afterLast(p, body)
		}
		found = append(found, Iteration{i + 1, p, to, to < l.events})
	}
	return found
}

// ended holds what is known of the iterations if an event ends each of them.
type ended struct {
	end    graph.Pos              // of the first iteration
	body   map[graph.StackID]bool // call stacks in the loop
	starts []graph.Pos
	sought graph.Pos // all starts before this event are known
}

// follow finds the iterations that end with some events. The loop is what ran between the first
// two of them. Each iteration begins at the call stack that ran first there.
func (l *Loop) follow(ends []graph.Pos) *ended {
	t := &l.ended
	if t.starts == nil || t.end != ends[0] {
		body := map[graph.StackID]bool{}
		for p := ends[0] + 1; p <= ends[1]; p++ {
			body[l.stack(p)] = true
		}
		first := l.find(0, ends[0], func(s graph.StackID) bool { return body[s] })
		*t = ended{end: ends[0], body: body, starts: []graph.Pos{first}}
	}
	top := l.stack(t.starts[0])
	for i := len(t.starts) - 1; i < len(ends); i++ {
		last := i+1 == len(ends)
		next := l.events
		if !last {
			next = ends[i+1]
		}
		t.sought = l.find(max(t.sought, ends[i]+1), next, func(s graph.StackID) bool { return s == top })
		switch {
		case t.sought < next:
			t.starts = append(t.starts, t.sought)
		case !last:
			t.starts = append(t.starts, ends[i]+1)
		}
	}
	return t
}

// endedAt makes iterations of an event that happens once in each.
func (l *Loop) endedAt(ends []graph.Pos) (found []Iteration) {
	t := l.follow(ends)
	for i, from := range t.starts {
		it := Iteration{Number: i + 1, From: from, Done: i < len(ends)}
		switch {
		case i+1 < len(t.starts):
			it.To = t.starts[i+1]
		case it.Done:
			it.To = l.afterLast(ends[i], t.body)
		default:
			it.To = l.afterLast(from, t.body)
		}
		found = append(found, it)
	}
	return found
}

// find returns the first event of a call stack, or to.
func (l *Loop) find(from, to graph.Pos, is func(graph.StackID) bool) graph.Pos {
	for p := from; p < to; p++ {
		if is(l.stack(p)) {
			return p
		}
	}
	return to
}

// afterLast returns behind the last event of the loop.
func (l *Loop) afterLast(from graph.Pos, body map[graph.StackID]bool) graph.Pos {
	for p := l.events - 1; p > from; p-- {
		if body[l.stack(p)] {
			return p + 1
		}
	}
	return from + 1
}

// visits returns the times at which the program came to the outermost line that recurs:
// to which a function comes again after another one of its lines. Where nothing
// recurs the search goes on inside the line that most operations come from, and
// ends with the calls on that line.
func (l *Loop) visits() []graph.Pos {
	runs := l.runs()
	for depth := 0; len(runs) > 0; depth++ {
		var lines recurrence
		ids := map[codeLine]graph.StackID{} // numbers of the lines at this depth
		ops := map[graph.StackID]int{}
		last := graph.StackID(0)
		for i := range runs {
			r := &runs[i]
			k, ok := l.line(r.stack, depth)
			if r.line = 0; ok {
				if ids[k] == 0 {
					ids[k] = graph.StackID(len(ids) + 1)
				}
				r.line = ids[k]
				ops[r.line] += r.ops
			}
			if r.line != last && ok {
				lines.add(r.line, r.at)
			}
			last = r.line
		}
		if times := lines.outermost(runs); times != nil {
			return times
		}
		if len(ids) == 0 {
			return l.calls(runs)
		}
		runs = within(runs, ops)
	}
	return nil
}

// calls returns the times of the call that recurs on a line.
func (l *Loop) calls(runs []run) []graph.Pos {
	var calls recurrence
	if len(runs) > 1 {
		for _, r := range runs {
			calls.add(r.stack, r.at)
		}
		return calls.outermost(runs)
	}
	last := time.Duration(-1)
	for p := runs[0].at; p < l.events; p++ {
		k, _ := l.dec.Kind(p)
		if head, _, err := l.dec.Read(p); err == nil && k == graph.KindOpRan && head.Stack == runs[0].stack && head.Time != last {
			calls.add(head.Stack, p)
			last = head.Time
		}
	}
	return calls.most()
}

// line returns the line of a call stack at a depth, counted from its outermost frame.
func (l *Loop) line(s graph.StackID, depth int) (codeLine, bool) {
	stack := l.tape.Stack(s)
	i := len(stack) - 1 - depth
	if i < 0 {
		return codeLine{}, false
	}
	return codeLine{stack[i].File, stack[i].Func, stack[i].Line}, true
}

// outermost returns the times of the line that recurs least among those between whose
// times most of the runs are.
func (r *recurrence) outermost(runs []run) (times []graph.Pos) {
	for _, line := range r.stacks {
		at := r.at[line]
		if len(at) < 2 || times != nil && len(at) >= len(times) {
			continue
		}
		from := sort.Search(len(runs), func(i int) bool { return runs[i].at >= at[0] })
		to := sort.Search(len(runs), func(i int) bool { return runs[i].at >= at[len(at)-1] })
		if 2*(to-from) >= len(runs) {
			times = at
		}
	}
	return times
}

// within returns the runs at the line that has most operations.
func within(runs []run, ops map[graph.StackID]int) (kept []run) {
	most := graph.StackID(0)
	for line := graph.StackID(1); int(line) <= len(ops); line++ {
		if most == 0 || ops[line] > ops[most] {
			most = line
		}
	}
	for _, r := range runs {
		if r.line == most {
			kept = append(kept, r)
		}
	}
	return kept
}

// A run is where the program came to a call stack.
type run struct {
	at    graph.Pos
	stack graph.StackID
	line  graph.StackID // number of its line at the depth that is looked at
	ops   int
}

// runs returns the operations outside of backward passes, in groups of one call stack.
func (l *Loop) runs() (runs []run) {
	for p := range l.events {
		if k, err := l.dec.Kind(p); err != nil || k != graph.KindOpRan {
			continue
		}
		if s := l.stack(p); len(runs) == 0 || runs[len(runs)-1].stack != s {
			runs = append(runs, run{at: p, stack: s})
		}
		runs[len(runs)-1].ops++
	}
	return runs
}
