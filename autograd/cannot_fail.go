package autograd

// This file decides when a backward pass cannot fail. A front end may then let
// its program continue while the pass runs.

// WhenCertain is an option of BackwardAll. f is called before the first node
// runs, if the pass cannot fail from there on and will not call any function of
// the program.
func WhenCertain(f func()) Option { return Kw("when_certain", f) }

// largestCertain is the most elements that a gradient of such a pass may have.
// There may not be enough memory for larger ones.
const largestCertain = 1 << 16

// certain reports whether a pass, whose nodes have been counted, cannot fail
// and does not call functions of the program.
func (p *pass) certain() bool {
	if p.create || p.selective || current.pass != nil || !Undisturbed() {
		return false
	}
	for _, s := range p.states {
		if !s.node.certain() {
			return false
		}
	}
	return true
}

func (n *Node) certain() bool {
	for _, o := range n.outs {
		if o.dtype != Float32 && o.dtype != Float64 || numel(o.sizes) > largestCertain {
			return false
		}
	}
	if n.ext != nil && n.ext.called() {
		return false
	}
	if n.apply != nil {
		a, ok := n.apply.(*accumulateGrad)
		return ok && a.certain()
	}
	if !n.op.Certain {
		return false
	}
	for i := range n.saved {
		s := &n.saved[i]
		if s.packed != nil {
			return false
		}
		if _, err := s.unpack(n); err != nil {
			return false
		}
	}
	return true
}

// called reports whether the node may run functions of the program.
func (x *nodeExtension) called() bool {
	return len(x.pre)+len(x.post)+len(x.retainers)+len(x.watched)+len(x.hooked) > 0
}

// certain reports whether adding a gradient to the leaf's gradient cannot fail.
func (a *accumulateGrad) certain() bool {
	t := a.leaf
	if t.gradFn != nil || t.flags&inferenceFlag != 0 || len(t.ext.hooks)+len(t.ext.postHooks) > 0 {
		return false
	}
	g := t.grad
	return g == nil || g.gradFn == nil && g.flags&(requiresGradFlag|inferenceFlag) == 0 && g.ext == nil &&
		g.dtype == t.dtype && sameSizes(g.sizes, t.sizes) && g.coversStorage()
}
