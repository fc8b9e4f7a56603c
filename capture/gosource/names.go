// Package gosource finds the names that a Go program gives to its tensors. At
// run time a Go program does not know the names of its variables, but the tape
// knows the line of each operation, and the source code says which variables
// get the results of the calls on that line.
//
// A name on the tape must never be wrong. Where the lines do not say for certain
// which tensor a variable got, it stays without a name: see parse for what is
// read in the source, [Binder] for how events are matched with it.
package gosource

import (
	"maps"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// A Binder names the tensors of a tape as its events appear.
//
// It follows the call stacks of the events. While the program is at one line of
// a function, the operators that run are compared with the calls on that line;
// the newest result of the outermost call gets the name when the program is seen
// to have left the line, or to be at it for another time. A function that has
// returned passes what its return statement made on to the line of its caller.
type Binder struct {
	// Read returns the text of a source file. A file that cannot be read gives no
	// names. NewBinder sets it to [ReadFile].
	Read func(path string) ([]byte, error)
	// Named, if it is not nil, is called for each name that a tensor gets.
	Named func(t graph.TensorID, name string)

	tape   *graph.Tape
	files  map[string]source
	open   []*activation // outermost first
	thread graph.ThreadID
}

// NewBinder returns a binder for a tape.
func NewBinder(t *graph.Tape) *Binder {
	return &Binder{Read: ReadFile, tape: t, files: map[string]source{}}
}

// An activation is a function that runs, at one of its lines.
type activation struct {
	frame graph.Frame
	line  *line // nil if nothing is known about it
	// returns is what the function will return, if that is a variable.
	returns *made

	// What ran at the line since the program came to it, or since all calls on it
	// were seen and the next round began:
	seen   map[string]int   // calls that operators were matched with
	latest map[string]*made // what the calls made, by name
	newest *made            // the last of them
	own    []graph.TensorID // tensors that were made

	modules modules // since the program came to the line
}

// made is an operator that ran at a line.
type made struct {
	header  graph.Header
	call    string           // its name among the calls of the line, "" if it has none
	outputs []graph.TensorID // zero for one that is not known
}

// Event looks at an event that was appended to the tape and appends NameBound
// for variables whose tensors are known by now. It has the signature of
// graph.Importer's OnEvent.
func (b *Binder) Event(_ graph.Pos, h graph.Header, e graph.Event) {
	if h.Thread != b.thread {
		// The stacks of two threads tell nothing about each other.
		b.open, b.thread = nil, h.Thread
	}
	if e, ok := e.(*graph.NameBound); ok {
		b.forget(e.Tensor) // the program has chosen the name
	}
	b.follow(b.tape.Stack(h.Stack))
	if len(b.open) == 0 {
		return
	}
	switch e := e.(type) {
	case *graph.OpRan:
		if len(e.Outputs) > 0 {
			b.ran(h, b.tape.String(e.Op), slices.Clone(e.Outputs), len(e.Mutated) > 0)
		}
	case *graph.TensorCreated:
		const other = graph.FlagNumber | graph.FlagExisting | graph.FlagGradient
		if e.Node == 0 && e.Base == 0 && e.Flags&other == 0 {
			b.created(h, e.Tensor)
		}
	case *graph.ModuleEntered:
		b.open[len(b.open)-1].enter()
	case *graph.ModuleLeft:
		b.open[len(b.open)-1].leave()
	case *graph.Raised:
		// The calls under way give errors instead of tensors.
		for _, a := range b.open {
			a.reset()
			a.modules.lost = true
		}
	}
}

// Close binds the names that are still open.
func (b *Binder) Close() { b.follow(nil) }

// follow ends the lines and functions that the program has left, innermost
// first, and begins those that it is in now. stack is innermost first.
func (b *Binder) follow(stack graph.Stack) {
	frame := func(depth int) graph.Frame { return stack[len(stack)-1-depth] }
	same := 0
	for same < len(b.open) && same < len(stack) && b.open[same].frame == frame(same) {
		same++
	}
	for depth := len(b.open) - 1; depth >= same; depth-- {
		b.leaveLine(depth)
		a := b.open[depth]
		a.modules = modules{}
		if depth == same && depth < len(stack) && sameFunction(a.frame, frame(depth)) {
			a.frame, a.line = frame(depth), b.line(frame(depth))
			same++
			break
		}
		b.open = b.open[:depth]
		b.deliver(depth, a.frame, a.returns)
	}
	if same > 0 && same < len(stack) {
		// What a line did before it called a function, and what the engine does
		// around functions that it calls, is not known to be its result.
		b.open[same-1].reset()
	}
	for ; same < len(stack); same++ {
		b.open = append(b.open, &activation{frame: frame(same), line: b.line(frame(same))})
	}
}

func sameFunction(a, b graph.Frame) bool { return a.File == b.File && a.Func == b.Func }

func (a *activation) reset() {
	clear(a.seen)
	clear(a.latest)
	a.newest, a.own = nil, nil
}

// created notes a tensor that no operator made.
func (b *Binder) created(h graph.Header, t graph.TensorID) {
	a := b.open[len(b.open)-1]
	if a.line == nil {
		return
	}
	for _, r := range a.line.results {
		if constructors[r.call] {
			b.note(&made{h, r.call, []graph.TensorID{t}})
			return
		}
	}
}

// ran notes an operator.
func (b *Binder) ran(h graph.Header, op string, outputs []graph.TensorID, mutates bool) {
	a := b.open[len(b.open)-1]
	switch {
	case a.line == nil:
	case !mutates:
		b.note(&made{h, a.line.match(op), outputs})
	case !slices.Contains(a.own, outputs[0]):
		// It changes what was there before, a running mean or a parameter, and is
		// not what the call returns.
		a.saw("")
	}
}

func (a *activation) saw(call string) {
	if a.seen == nil {
		a.seen = map[string]int{}
	}
	a.seen[call]++
}

// note takes what was made at the innermost line. If all calls of the line were
// seen already, this is the beginning of another round.
func (b *Binder) note(m *made) {
	depth := len(b.open) - 1
	a := b.open[depth]
	if a.complete() {
		b.leaveLine(depth)
	}
	a.saw(m.call)
	if a.latest == nil {
		a.latest = map[string]*made{}
	}
	a.latest[m.call] = m
	a.newest = m
	if a.modules.inside == 0 {
		a.modules.last = nil // the line went on
	}
	a.own = append(a.own, m.outputs...)
}

// complete reports whether each call of the line, and nothing else, was matched
// with an operator.
func (a *activation) complete() bool {
	return a.newest != nil && maps.Equal(a.seen, a.line.calls)
}

// leaveLine gives what a line made to its variables.
func (b *Binder) leaveLine(depth int) {
	a := b.open[depth]
	if a.newest == nil {
		a.reset()
		return
	}
	type gift struct {
		to *result
		m  *made
	}
	var gifts []gift
	for _, r := range a.line.results {
		if m := a.resultOf(r); m != nil {
			gifts = append(gifts, gift{r, m})
		}
	}
	a.reset()
	for _, g := range gifts {
		b.give(depth, g.to, g.m)
	}
}

// resultOf is what a call made, if that is certain.
func (a *activation) resultOf(r *result) *made {
	m, line := a.newest, a.line
	switch {
	case a.returned(r):
		return &made{a.modules.last.header, r.call, a.modules.last.outputs[:1]}
	case (m.call == "" || r.call == "forward") && r.alone && composed(r.call):
		// Many operators inside one call, the last of which made its result.
		return &made{m.header, r.call, m.outputs[:1]}
	case len(line.results) > 1:
		// Of several statements on a line only a full round is certain.
		if line.calls[r.call] > 1 || !a.complete() {
			return nil
		}
		if m = a.latest[r.call]; m == nil {
			return nil // the program has named it
		}
	case m.call != r.call || line.calls[r.call] > 1 && !a.complete():
		// The outermost call of a statement is the last to end.
		return nil
	}
	if results(r.call) != len(m.outputs) {
		return nil
	}
	return m
}

// give hands the results of a call on a line to the variables there, and to the
// function's caller if they are returned.
func (b *Binder) give(depth int, r *result, m *made) {
	if len(r.values) != len(m.outputs) {
		return
	}
	a := b.open[depth]
	if r.assignsReturned() {
		b.deliver(depth, a.frame, a.returns) // of the call before this one
	}
	var returns []graph.TensorID
	for i, v := range r.values {
		t := m.outputs[i]
		if t != 0 && v.name != "" {
			b.bind(m.header, v.name, a.frame.Func, t)
		}
		if v.position >= 0 && v.position < r.arity {
			returns = append(returns, make([]graph.TensorID, r.arity-len(returns))...)
			returns[v.position] = t
		}
	}
	switch {
	case returns == nil:
	case r.returns:
		b.deliver(depth, a.frame, &made{m.header, "", returns})
	default:
		a.returns = &made{m.header, "", returns}
	}
}

// deliver gives the results of a function, which ran at a depth of the stack, to
// the call on its caller's line.
func (b *Binder) deliver(depth int, callee graph.Frame, m *made) {
	if m == nil || depth == 0 || b.open[depth-1].line == nil {
		return
	}
	caller := b.open[depth-1]
	name := functionName(callee.Func)
	for _, r := range caller.line.results {
		switch {
		case caller.line.calls[r.call] != 1:
		case r.call == name:
			b.give(depth-1, r, m)
		case name == "" && r.call == "forward" && r.alone && len(m.outputs) == 1:
			// A module's function, whose result hooks may still change.
			caller.newest = m
			caller.own = append(caller.own, m.outputs...)
		}
	}
}

// forget takes the tensor away from the variables that would get it.
func (b *Binder) forget(t graph.TensorID) {
	for _, a := range b.open {
		for call, m := range a.latest {
			if slices.Contains(m.outputs, t) {
				delete(a.latest, call)
			}
		}
		if a.newest != nil && slices.Contains(a.newest.outputs, t) {
			a.newest = nil
		}
	}
}

func (b *Binder) bind(h graph.Header, name, scope string, t graph.TensorID) {
	b.tape.Append(h, &graph.NameBound{Name: b.tape.InternString(name), Scope: b.tape.InternString(scope), Tensor: t})
	if b.Named != nil {
		b.Named(t, name)
	}
}

// maxFiles bounds the source files that a tape can make the binder read.
const maxFiles = 4096

// line is what is known about the line of a frame, or nil.
func (b *Binder) line(f graph.Frame) *line {
	if !strings.HasSuffix(f.File, ".go") {
		return nil
	}
	src, ok := b.files[f.File]
	if !ok {
		if len(b.files) >= maxFiles {
			return nil
		}
		if text, err := b.Read(f.File); err == nil {
			src = parse(text)
		}
		b.files[f.File] = src
	}
	return src[place{f.Line, literals(f.Func)}]
}
