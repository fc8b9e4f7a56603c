package lookup

import (
	"iter"
	"slices"
	"sort"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect/internal/running"
	"github.com/gradtui/gradtui/inspect/internal/stretch"
	"github.com/gradtui/gradtui/inspect/usage"
	"github.com/gradtui/gradtui/internal/packed"
)

// An Activity is what an event means for the run as a whole.
type Activity uint8

// The activities.
const (
	ActivityOther      Activity = iota
	ActivityForward             // an operation ran, outside of backward passes
	ActivityNode                // a node of the backward graph ran
	ActivityInPlace             // a tensor was changed in place, outside of backward passes
	ActivityFreed               // a node's saved tensors were freed
	ActivityError               // an error was raised, or ended the program
	ActivityWarning             // a warning was issued
	ActivityHook                // a hook ran
	ActivityStep                // an optimizer began a step
	ActivityStepped             // an optimizer ended a step
	ActivityZeroing             // zero_grad() was called
	ActivityOutput              // the program wrote output
	ActivityPassBegan           // a backward pass began
	ActivityPassEnded           // a backward pass ended normally
	ActivityPassFailed          // a backward pass ended with an error
	ActivityIteration           // the program said that an iteration begins
	activityLimit
)

// activityOf is the activity of a kind of event. Where it depends on more than the kind,
// [Timeline.activity] decides.
var activityOf = [256]Activity{
	graph.KindOpRan:            ActivityForward,
	graph.KindNodeExecuted:     ActivityNode,
	graph.KindMutated:          ActivityInPlace,
	graph.KindSavedFreed:       ActivityFreed,
	graph.KindRaised:           ActivityError,
	graph.KindProgramFailed:    ActivityError,
	graph.KindWarned:           ActivityWarning,
	graph.KindHookRan:          ActivityHook,
	graph.KindOptimizerStepped: ActivityStep,
	graph.KindGradsZeroed:      ActivityZeroing,
	graph.KindOutputWritten:    ActivityOutput,
	graph.KindBackwardBegan:    ActivityPassBegan,
	graph.KindBackwardEnded:    ActivityPassEnded,
	graph.KindBackwardFailed:   ActivityPassFailed,
	graph.KindIteration:        ActivityIteration,
}

// Counts says how many events there were of each [Activity].
type Counts [activityLimit]uint32

// A Bucket is what happened in the events from From to To, without To.
type Bucket struct {
	From, To graph.Pos
	Counts
	Backward  graph.BackwardID // the pass that ran in it, the one that ran last if there were several; 0: none
	Iteration int              // the number of the last iteration that begins in it; 0: none does
}

// A Timeline is a run at a glance. It follows a tape that grows, and quickly says what happened
// in any stretch of it and where something happened next.
//
// It keeps the [Activity] of every event, in less than half a byte, and the counts before every
// 1024th one; any stretch is the difference of two such counts and of the events that stick
// out. It also keeps where the running backward pass changes.
//
// A Timeline serves one goroutine.
type Timeline struct {
	tape     *graph.Tape
	dec      *graph.Decoder
	loop     *usage.Loop
	events   nibbles  // activities
	sums     []Counts // of the events before every sumEvents-th one
	last     Counts   // of all events
	running  running.Passes
	switches []passSwitch
	starts   []graph.Pos // of iterations
}

const sumEvents = 1024

// Nibbles is a list of numbers below 16, two in a byte. Half a byte waits for the other
// half.
type nibbles struct {
	bytes packed.Bytes
	half  byte
	len   int
}

var _ [16 - activityLimit]struct{} // activities are such numbers

func (n *nibbles) add(x byte) {
	if n.len%2 == 0 {
		n.half = x
	} else {
		n.bytes.Append(n.half | x<<4)
		n.bytes.Settle()
	}
	n.len++
}

// from returns the numbers from the i-th one on.
func (n *nibbles) from(i int) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		var page []byte
		for at := -1; i < n.len; i++ {
			if i%2 == 0 && i == n.len-1 {
				yield(i, n.half)
				return
			}
			if p := i / 2 / packed.BytesPage; p != at {
				at, page = p, n.bytes.Page(p)
			}
			if !yield(i, page[i/2%packed.BytesPage]>>(i%2*4)&15) {
				return
			}
		}
	}
}

// A passSwitch says that from an event on another pass was the innermost one.
type passSwitch struct {
	at   uint32
	pass graph.BackwardID
}

// NewTimeline returns the timeline at the beginning of a tape.
func NewTimeline(tape *graph.Tape) *Timeline {
	return &Timeline{tape: tape, dec: tape.NewDecoder(), loop: usage.NewLoop(tape)}
}

// Pos returns how many events the timeline knows.
func (t *Timeline) Pos() graph.Pos { return t.loop.Pos() }

// Extend takes the events before a position, at most those that the tape has.
func (t *Timeline) Extend(to graph.Pos) {
	for to = min(to, t.tape.Len()); t.loop.Pos() < to; {
		if t.events.len%sumEvents == 0 {
			t.sums = append(t.sums, t.last)
		}
		p := t.loop.Pos()
		a := t.activity(p, t.loop.Next())
		t.events.add(byte(a))
		t.last[a]++
	}
	t.starts = t.loop.Starts()
}

// activity says what an event means, and notes which pass runs.
func (t *Timeline) activity(p graph.Pos, k graph.Kind) Activity {
	a := activityOf[k]
	switch a {
	case ActivityForward, ActivityInPlace:
		if len(t.running) > 0 {
			return ActivityOther
		}
	case ActivityPassBegan, ActivityPassEnded, ActivityPassFailed, ActivityStep:
		_, e, err := t.dec.ReadUntimed(p)
		if err != nil {
			return ActivityOther
		}
		switch e := e.(type) {
		case *graph.BackwardBegan:
			t.running.Began(e.Backward)
			t.noteSwitch(p)
		case *graph.BackwardEnded:
			t.running.Ended(e.Backward)
			t.noteSwitch(p + 1)
		case *graph.BackwardFailed:
			t.running.Ended(e.Backward)
			t.noteSwitch(p + 1)
		case *graph.OptimizerStepped:
			if e.Done {
				return ActivityStepped
			}
		}
	}
	return a
}

// noteSwitch notes which pass runs from an event on.
func (t *Timeline) noteSwitch(p graph.Pos) {
	now := t.running.Innermost()
	if now != t.passAt(p) {
		t.switches = append(t.switches, passSwitch{uint32(p), now})
	}
}

// passAt returns the pass that runs at an event: from the event that begins it to the one
// that ends it.
func (t *Timeline) passAt(p graph.Pos) graph.BackwardID {
	if i := t.switchesBefore(p + 1); i > 0 {
		return t.switches[i-1].pass
	}
	return 0
}

// switchesBefore returns how many switches there were before an event.
func (t *Timeline) switchesBefore(p graph.Pos) int {
	return sort.Search(len(t.switches), func(i int) bool { return graph.Pos(t.switches[i].at) >= p })
}

// Buckets divides the events between two positions into n parts of about the same
// length. What that costs depends on n only.
func (t *Timeline) Buckets(from, to graph.Pos, n int) []Bucket {
	from, to = stretch.Clamp(from, to, t.Pos())
	buckets := make([]Bucket, max(n, 0))
	for i := range buckets {
		b := &buckets[i]
		b.From, b.To = stretch.Part(from, to, i, n), stretch.Part(from, to, i+1, n)
		b.Counts = t.Count(b.From, b.To)
		b.Backward = t.passIn(b.From, max(b.To, b.From+1))
		if n, start := t.Iteration(b.To - 1); start >= b.From {
			b.Iteration = n
		}
	}
	return buckets
}

// passIn returns the pass that ran last in some events.
func (t *Timeline) passIn(from, to graph.Pos) graph.BackwardID {
	for i := t.switchesBefore(to) - 1; i >= 0; i-- {
		s := t.switches[i]
		if s.pass != 0 || graph.Pos(s.at) <= from {
			return s.pass
		}
	}
	return 0
}

// Count says what happened in the events between two positions.
func (t *Timeline) Count(from, to graph.Pos) Counts {
	from, to = stretch.Clamp(from, to, t.Pos())
	counts, less := t.before(to), t.before(from)
	for a := range counts {
		counts[a] -= less[a]
	}
	return counts
}

func (t *Timeline) before(p graph.Pos) Counts {
	block := int(p) / sumEvents
	if block == len(t.sums) {
		return t.last
	}
	c := t.sums[block]
	for i, a := range t.events.from(block * sumEvents) {
		if i >= int(p) {
			break
		}
		c[a]++
	}
	return c
}

// Next returns the first event from a position on that is one of some activities; ok is
// false if there is none.
func (t *Timeline) Next(p graph.Pos, of ...Activity) (at graph.Pos, ok bool) {
	p = min(max(p, 0), t.Pos())
	return t.nth(sum(t.before(p), of), of)
}

// Prev returns the last event before a position that is one of some activities.
func (t *Timeline) Prev(p graph.Pos, of ...Activity) (at graph.Pos, ok bool) {
	p = min(max(p, 0), t.Pos())
	return t.nth(sum(t.before(p), of)-1, of)
}

// nth returns the event before which there were n of some activities.
func (t *Timeline) nth(n int, of []Activity) (at graph.Pos, ok bool) {
	block := sort.Search(len(t.sums), func(i int) bool { return sum(t.sums[i], of) > n }) - 1
	if n < 0 || block < 0 {
		return 0, false
	}
	n -= sum(t.sums[block], of)
	for i, a := range t.events.from(block * sumEvents) {
		if slices.Contains(of, Activity(a)) {
			if n == 0 {
				return graph.Pos(i), true
			}
			n--
		}
	}
	return 0, false
}

func sum(c Counts, of []Activity) (n int) {
	for _, a := range of {
		n += int(c[a])
	}
	return n
}

// Iterations returns the first events of the iterations, as [usage.Iterations] finds them; but it
// does not look for lines that recur in a program that only runs forward, which takes the whole
// tape. The caller must not change them.
func (t *Timeline) Iterations() []graph.Pos { return t.starts }

// Iteration returns the number of the iteration that an event is in, counted from 1, and
// where it begins; 0 and -1 before the first one.
func (t *Timeline) Iteration(p graph.Pos) (number int, start graph.Pos) {
	i := sort.Search(len(t.starts), func(i int) bool { return t.starts[i] > p })
	if i == 0 {
		return 0, -1
	}
	return i, t.starts[i-1]
}
