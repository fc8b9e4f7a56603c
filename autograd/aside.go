package autograd

import "github.com/gradtui/gradtui/graph"

// Aside lets the program compute something where a [Gate] has stopped it, perhaps in the middle
// of an operator or a backward pass. back ends it: grad mode, the other modes and the sequence
// numbers of nodes are what they were.
//
// refuse, if it is not nil, keeps the program as it is: nothing is recorded, and refuse is
// called with the name of an operator that is about to write to memory which is older; its
// error ends the operator. Without it, what the program computes is recorded like any other
// operation, and the modes are restored only.
func (r *Recorder) Aside(refuse func(operator string) error) (back func()) {
	thread, before, guarded, modes := current, recorder, readOnly, *current
	waiting, held, busy, early, resting := r.waiting, r.held, r.busy, r.early, r.resting
	outside := r.outside()
	r.waiting, r.held, r.busy, r.early, r.resting = false, nil, false, nil, true
	if refuse != nil {
		recorder = nil
		readOnly = &guard{newest: serials, refuse: refuse}
	}
	return func() {
		recorder, readOnly = before, guarded
		if refuse == nil {
			modes.sequence = max(modes.sequence, thread.sequence)
		}
		*thread = modes
		current = thread
		r.waiting, r.held, r.busy, r.early, r.resting = waiting, held, busy, early, resting
		outside()
	}
}

// IsOnTape reports whether the recorder has announced a tensor, and its number.
func (r *Recorder) IsOnTape(t *Tensor) (id graph.TensorID, is bool) {
	if t == nil || t.err != nil || t.gen != r.gen {
		return 0, false
	}
	return t.id, true
}

// A guard keeps memory as it is.
type guard struct {
	newest uint64 // serial of the newest tensor when it began
	refuse func(operator string) error
}

// readOnly is the guard, while there is one.
var readOnly *guard

// mayWrite asks the guard whether an operator may write to a tensor's memory.
func mayWrite(t *Tensor, operator string) error {
	if g := readOnly; g != nil && t.st != nil && t.st.born <= g.newest {
		return g.refuse(operator)
	}
	return nil
}

// IsOlder reports whether the guard of [Recorder.Aside] protects the memory of a tensor.
func IsOlder(t *Tensor) bool {
	return readOnly != nil && t != nil && t.st != nil && t.st.born <= readOnly.newest
}
