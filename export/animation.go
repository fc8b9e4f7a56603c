package export

import (
	"cmp"
	"image/color"
	"math"
	"strconv"
	"time"

	"github.com/gradtui/gradtui/export/graphviz"
	"github.com/gradtui/gradtui/graph"
)

// animatedPass is the newest backward pass of a graph, and the graph when that pass has ended.
// Without a pass the graph stays as it is.
func animatedPass(g *graph.Graph) (*graph.Graph, graph.BackwardID) {
	id := graph.BackwardID(g.BackwardCount())
	if id == 0 {
		return g, 0
	}
	end := g.Tape().CursorAt(g.Tape().Len()).Graph()
	if pass, ok := end.Backward(id); ok && pass.Finished >= 0 {
		end = g.Tape().CursorAt(pass.Finished + 1).Graph()
	}
	return end, id
}

// gif writes an animation of the pass. The layout is computed once, from the graph at the end
// of the pass.
func (j *job) gif() error {
	return j.retry(func(dot []byte, last bool) error {
		d, err := graphviz.Layout(j.ctx, dot, j.opts.Graphviz)
		if err != nil {
			return err
		}
		opts := j.opts.Graphviz.PNG
		opts.MaxPixels = cmp.Or(opts.MaxPixels, graphviz.DefaultGIFPixels)
		size := d.PNGSize(opts)
		if !last && tooCoarse(size) {
			return errCoarse
		}
		a := j.animation(j.drawn)
		j.report.Picture, j.report.Frames = size, a.Frames
		_, err = d.WriteGIF(j.ctx, j.w, a, opts)
		return err
	})
}

// A span is when the nodes of a box run, in nodes of the pass that have run before: from
// when on one of them is ready, the first one runs, and the last one has run.
type span struct{ ready, from, to int }

// A film knows when everything in a picture happens in a backward pass.
type film struct {
	pass   graph.BackwardID
	names  []string          // of the nodes that run and are drawn, in their order
	boxes  map[string]span   // by the identifier of the box
	arrows map[[2]string]int // from, to: how many nodes have run when the gradient has come back
	failed map[string]bool   // boxes in which the pass failed
	units  map[string]bool   // boxes that stand for nodes
}

// film reads from the tape when the nodes of a plan run.
func (j *job) film(p *plan) *film {
	f := &film{pass: j.pass, boxes: map[string]span{}, arrows: map[[2]string]int{}, failed: map[string]bool{}, units: map[string]bool{}}
	for u := range p.units {
		f.units[p.unitID(u)] = true
	}
	pass, ok := p.g.Backward(j.pass)
	if !ok {
		return f
	}
	end := pass.Finished
	if end < 0 {
		end = p.g.Tape().Len() - 1
	}
	boxOf := func(id graph.NodeID) (string, bool) {
		if i := p.at(id); i >= 0 {
			return p.unitID(p.unitOf(i)), true
		}
		return "", false
	}
	ran := map[graph.NodeID]int{}
	for at := pass.Began; at <= end; at++ {
		_, e, err := p.decoder.Brief(at)
		if err != nil {
			continue
		}
		switch e := e.(type) {
		case *graph.NodeReady:
			if box, ok := boxOf(e.Node); ok && e.Backward == j.pass {
				if _, ok := f.boxes[box]; !ok {
					f.boxes[box] = span{len(f.names), math.MaxInt, math.MaxInt}
				}
			}
		case *graph.NodeExecuted:
			box, ok := boxOf(e.Node)
			if !ok || e.Backward != j.pass {
				continue
			}
			s, ok := f.boxes[box]
			if !ok {
				s = span{len(f.names), math.MaxInt, math.MaxInt}
			}
			n := len(f.names)
			f.boxes[box] = span{s.ready, min(s.from, n), n + 1}
			made, _ := p.g.Node(e.Node)
			f.names = append(f.names, label(made.Name, maxLabel))
			ran[e.Node] = n + 1
		case *graph.BackwardFailed:
			if box, ok := boxOf(e.Node); ok && e.Backward == j.pass {
				f.failed[box] = true
			}
		}
	}
	f.follow(p, ran, j.layers)
	return f
}

// follow says when the gradients have come back along the arrows.
func (f *film) follow(p *plan, ran map[graph.NodeID]int, l *layers) {
	for i, n := range p.nodes {
		for k, e := range p.next(i) {
			to := p.at(e.Node)
			if to < 0 || p.unitOf(to) == p.unitOf(i) {
				continue
			}
			sender := n.id
			if l != nil {
				sender = l.senders[int(n.first)+k].node
			}
			if when, ok := ran[sender]; ok {
				arrow := [2]string{p.unitID(p.unitOf(to)), p.unitID(p.unitOf(i))}
				f.arrows[arrow] = max(f.arrows[arrow], when)
			}
		}
	}
}

// animation makes the frames: one for each node, or for as many nodes as keep to the bound.
func (j *job) animation(p *plan) graphviz.Animation {
	f := j.film(p)
	each := (len(f.names) + graphviz.MaxFrames - 3) / (graphviz.MaxFrames - 2)
	each = max(each, 1)
	steps := (len(f.names) + each - 1) / each
	frames := steps + 2 // before the first, and after the last
	if len(f.names) == 0 {
		frames = 1
	}
	// The nodes that have run before a frame, and after it.
	before := func(frame int) int { return min(max(frame-1, 0)*each, len(f.names)) }
	after := func(frame int) int {
		if frame == 0 {
			return 0
		}
		return min(frame*each, len(f.names))
	}
	c := j.opts.palette()
	return graphviz.Animation{
		Frames: frames,
		Delay:  cmp.Or(j.opts.Delay, min(max(12*time.Second/time.Duration(frames), 40*time.Millisecond), 400*time.Millisecond)),
		Node: func(frame int, name string) graphviz.Look {
			s, ok := f.boxes[name]
			switch {
			case len(f.names) == 0 || !f.units[name]:
				return graphviz.Look{}
			case f.failed[name] && frame == frames-1:
				return graphviz.Look{Fill: rgb(c.statuses["failed"]), Line: rgb(c.hazard), Width: 4}
			case !ok || s.ready > before(frame) && s.from >= after(frame):
				return graphviz.Look{Fill: rgb(c.statuses["pending"]), Line: rgb(c.weak), Text: rgb(c.faded)}
			case frame == frames-1 || s.to <= before(frame):
				if frame == frames-1 && s.to == math.MaxInt {
					break
				}
				return graphviz.Look{}
			case s.from < after(frame) && s.to > before(frame):
				return graphviz.Look{Fill: rgb(c.running), Line: rgb(c.text), Width: 3}
			}
			return graphviz.Look{Fill: rgb(c.statuses["ready"]), Dashed: true, Width: 1.5}
		},
		Edge: func(frame int, tail, head string) graphviz.Look {
			when, ok := f.arrows[[2]string{tail, head}]
			if len(f.names) == 0 || !f.units[tail] || !f.units[head] || ok && (when <= after(frame) || frame == frames-1) {
				return graphviz.Look{}
			}
			return graphviz.Look{Fill: rgb(c.weak), Line: rgb(c.weak), Width: thinArrow, Short: ok}
		},
		Caption: func(frame int) string {
			switch {
			case len(f.names) == 0, frame == frames-1:
				return j.caption()
			case frame == 0:
				return "backward #" + strconv.Itoa(int(j.pass)) + " begins"
			}
			n := after(frame)
			return "backward #" + strconv.Itoa(int(j.pass)) + " · node " + thousands(n) + " of " + thousands(len(f.names)) + " · " + f.names[n-1]
		},
	}
}

// caption is the line of the title about the backward pass when it has ended.
func (j *job) caption() string {
	if j.layers != nil {
		return j.layers.all.progress()
	}
	return j.sel.progress()
}

// rgb is the colour "#rrggbb".
func rgb(s string) color.NRGBA {
	v, err := strconv.ParseUint(s[1:], 16, 32)
	if err != nil {
		return color.NRGBA{}
	}
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}
}
