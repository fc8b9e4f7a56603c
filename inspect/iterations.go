package inspect

import (
	"sort"
	"time"

	"github.com/gradtui/gradtui/graph"
)

// An Iteration is a turn of the program's main loop: the events from From to To,
// without To.
type Iteration struct {
	Number   int // counts from 1
	From, To graph.Pos
	Done     bool // false: the program may still have been in it
}

// Iterations are the turns of the program's main loop so far. A tape knows no loops,
// so this is what it tells: the Iteration events that the program gave; or else what
// lies between the steps of an optimizer at the call stack that has most of them, or
// between the backward passes of one call stack; or else, in a program that only runs
// forward, what lies between the visits of the outermost line that recurs. What comes
// after the last one is an iteration too, not finished, if the loop begins again.
func (h *History) Iterations() []Iteration { return Iterations(h.tape, h.cursor.Pos()) }

// Iterations are those of the first events of a tape, as [History.Iterations].
func Iterations(tape *graph.Tape, events graph.Pos) []Iteration {
	turns, _ := mainLoop(tape, events)
	return turns
}

// mainLoop are the turns of the main loop and the call stack of that which tells them
// from each other, 0 without a loop.
func mainLoop(tape *graph.Tape, events graph.Pos) ([]Iteration, graph.StackID) {
	l := newLoop(tape)
	for l.events < events {
		l.next()
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

// A loop looks for the iterations of a tape, event by event.
type loop struct {
	tape   *graph.Tape
	dec    *graph.Decoder
	events graph.Pos // so many were looked at

	given         []graph.Pos
	steps, passes recurrence
	turns         turns
}

func newLoop(tape *graph.Tape) *loop { return &loop{tape: tape, dec: tape.NewDecoder()} }

// next looks at one more event and returns its kind.
func (l *loop) next() graph.Kind {
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

// ends are the events that end a turn each, if there are such and no event begins one.
func (l *loop) ends() []graph.Pos {
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

// starts are the first events of the turns so far, as far as the tape tells without
// looking for lines that recur. What it costs is what the tape has grown by.
func (l *loop) starts() []graph.Pos {
	if ends := l.ends(); ends != nil {
		return l.follow(ends).starts
	}
	return l.given
}

func (l *loop) stack(p graph.Pos) graph.StackID {
	head, err := l.dec.Header(p)
	if err != nil {
		return 0
	}
	return head.Stack
}

// A recurrence is when something happened at each call stack.
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

// most are the times of the call stack that has most of them. Where a loop has
// several, such as the steps of two optimizers, it is the last one; in a turn that was
// not finished it may have one less.
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
func (l *loop) begunAt(starts []graph.Pos) (found []Iteration) {
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

// turns are what is known of the turns of a loop when an event ends each.
type turns struct {
	end    graph.Pos              // of the first turn
	body   map[graph.StackID]bool // call stacks in the loop
	starts []graph.Pos
	sought graph.Pos // before this there is no start but those
}

// follow finds the turns that end with some events. What ran between the first two of
// them is the loop; it begins with what ran first of that, and each turn with that
// call stack.
func (l *loop) follow(ends []graph.Pos) *turns {
	t := &l.turns
	if t.starts == nil || t.end != ends[0] {
		body := map[graph.StackID]bool{}
		for p := ends[0] + 1; p <= ends[1]; p++ {
			body[l.stack(p)] = true
		}
		first := l.find(0, ends[0], func(s graph.StackID) bool { return body[s] })
		*t = turns{end: ends[0], body: body, starts: []graph.Pos{first}}
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
func (l *loop) endedAt(ends []graph.Pos) (found []Iteration) {
	t := l.follow(ends)
	for i, from := range t.starts {
		turn := Iteration{Number: i + 1, From: from, Done: i < len(ends)}
		switch {
		case i+1 < len(t.starts):
			turn.To = t.starts[i+1]
		case turn.Done:
			turn.To = l.afterLast(ends[i], t.body)
		default:
			turn.To = l.afterLast(from, t.body)
		}
		found = append(found, turn)
	}
	return found
}

// find is the first event of a call stack, or to.
func (l *loop) find(from, to graph.Pos, is func(graph.StackID) bool) graph.Pos {
	for p := from; p < to; p++ {
		if is(l.stack(p)) {
			return p
		}
	}
	return to
}

// afterLast is behind the last event of the loop.
func (l *loop) afterLast(from graph.Pos, body map[graph.StackID]bool) graph.Pos {
	for p := l.events - 1; p > from; p-- {
		if body[l.stack(p)] {
			return p + 1
		}
	}
	return from + 1
}

// visits are the times at which the program came to the outermost line that recurs:
// to which a function comes again after another one of its lines. Where nothing
// recurs the search goes on inside of the line that most operations come from, and
// ends with the calls on that line.
func (l *loop) visits() []graph.Pos {
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

// calls are the times of the call that recurs on a line.
func (l *loop) calls(runs []run) []graph.Pos {
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

// line is the line of a call stack at a depth, counted from its outermost frame.
func (l *loop) line(s graph.StackID, depth int) (codeLine, bool) {
	stack := l.tape.Stack(s)
	i := len(stack) - 1 - depth
	if i < 0 {
		return codeLine{}, false
	}
	return codeLine{stack[i].File, stack[i].Func, stack[i].Line}, true
}

// outermost are the times of the line that recurs least among those between whose
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

// within are the runs at the line that has most operations.
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

// runs are the operations outside of backward passes, in groups of one call stack.
func (l *loop) runs() (runs []run) {
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
