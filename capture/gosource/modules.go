package gosource

// modules are the calls of modules at a line. In
//
//	loss := criterion.Forward(net.Forward(x), y)
//
// the outermost Forward is the last to end. Once each Forward of the line was
// seen to begin, and the last one to end, what that made is the result of the
// line.
type modules struct {
	entered int   // how many began, without those that others called
	inside  int   // how many run
	before  *made // the newest result when the last of them began
	last    *made // what the last of them made, after it has ended
	lost    bool  // an error has left the calls of the line behind
}

func (a *activation) enter() {
	m := &a.modules
	if m.inside == 0 {
		m.entered++
		m.before, m.last = a.newest, nil
	}
	m.inside++
}

func (a *activation) leave() {
	m := &a.modules
	if m.inside == 0 {
		return
	}
	m.inside--
	if m.inside == 0 && a.newest != m.before {
		m.last = a.newest
	}
}

// returned reports whether the last module that was called at the line has made
// what the statement of r uses.
func (a *activation) returned(r *result) bool {
	m, calls := &a.modules, a.line.calls["forward"]
	return r.call == "forward" && len(a.line.results) == 1 && r.forwards == calls &&
		!m.lost && m.last != nil && m.entered == calls
}
