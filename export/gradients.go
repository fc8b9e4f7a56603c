package export

import (
	"math"
	"strconv"

	"github.com/gradtui/gradtui/graph"
)

// gradients are the norms of the gradients that the newest runs of nodes sent along the
// edges of a plan.
type gradients struct {
	sent     []float64        // by edge of the selection; NaN: not known
	arrived  map[unit]float64 // the norm of all that arrived at a unit
	min, max float64          // of the finite norms that are not zero
}

// jump is by how much the gradient that leaves a box has to differ from what arrived, so
// that the arrow stands out.
const jump = 1e3

// findGradients reads the norms from the tape; nil: there are none.
func (d *diagram) findGradients() *gradients {
	g := &gradients{sent: make([]float64, len(d.edges)), arrived: map[unit]float64{}, min: math.Inf(1)}
	var id graph.NodeID
	var out []graph.Grad
	known := false
	for i, n := range d.nodes {
		for k := range d.next(i) {
			at := int(n.first) + k
			s := sender{n.id, int32(k)}
			if d.layered != nil {
				s = d.layered.senders[at]
			}
			if s.node != id {
				id, out = s.node, d.gradientsOf(s.node)
			}
			g.sent[at] = math.NaN()
			if int(s.edge) < len(out) && out[s.edge].Defined() {
				g.sent[at] = out[s.edge].Value.KnownNorm()
			}
			if norm := g.sent[at]; norm > 0 && !math.IsInf(norm, 0) {
				g.min, g.max = min(g.min, norm), max(g.max, norm)
			}
			known = known || !math.IsNaN(g.sent[at])
		}
	}
	if !known {
		return nil
	}
	d.arrive(g)
	return g
}

// gradientsOf is what the newest run of a node sent, by edge.
func (d *diagram) gradientsOf(id graph.NodeID) []graph.Grad {
	n, ok := d.g.Node(id)
	if !ok || n.Executed < 0 {
		return nil
	}
	_, e, err := d.decoder.ReadUntimed(n.Executed)
	if err != nil {
		return nil
	}
	ran, _ := e.(*graph.NodeExecuted)
	if ran == nil {
		return nil
	}
	return ran.Out
}

// arrive adds up what arrives at each unit, from the units that use it and from the
// beginning of the pass.
func (d *diagram) arrive(g *gradients) {
	for i := range d.nodes {
		for k, e := range d.next(i) {
			norm := g.sent[int(d.nodes[i].first)+k]
			if to := d.at(e.Node); to >= 0 && !math.IsNaN(norm) {
				u := d.unitOf(to)
				g.arrived[u] = math.Hypot(g.arrived[u], norm)
			}
		}
	}
	for _, r := range d.roots {
		n, ok := d.g.Node(r.node)
		i := d.at(r.node)
		if !ok || n.Executed < 0 || i < 0 {
			continue
		}
		_, e, err := d.decoder.ReadUntimed(n.Executed)
		if ran, is := e.(*graph.NodeExecuted); err == nil && is {
			for _, in := range ran.In {
				if norm := in.Value.KnownNorm(); in.Defined() && !math.IsNaN(norm) {
					u := d.unitOf(i)
					g.arrived[u] = math.Hypot(g.arrived[u], norm)
				}
			}
		}
	}
}

// normOf is the largest norm along some edges; NaN: none is known.
func (g *gradients) normOf(edges []int32) float64 {
	norm := math.NaN()
	for _, e := range edges {
		if s := g.sent[e]; !(s <= norm) && !math.IsNaN(s) {
			norm = s
		}
	}
	return norm
}

// strength is where a norm lies between the smallest and the largest of the picture, from 0
// to 1, on a logarithmic scale.
func (g *gradients) strength(norm float64) float64 {
	if !(g.max > g.min) {
		return 0.5
	}
	return min(max(math.Log(norm/g.min)/math.Log(g.max/g.min), 0), 1)
}

// jumps is by which factor a norm differs from what arrived at the unit that sent it, if
// that stands out; else 0.
func (g *gradients) jumps(from unit, norm float64) float64 {
	arrived := g.arrived[from]
	if !(arrived > 0) || !(norm > 0) || math.IsInf(arrived, 0) || math.IsInf(norm, 0) {
		return 0
	}
	if f := norm / arrived; f >= jump || f <= 1/jump {
		return f
	}
	return 0
}

// Widths of arrows, in points.
const thinArrow, thickArrow = 0.8, 3.6

// look is how an arrow is drawn along which a gradient of a norm came: colour, width in
// points, dashes, and what is written at it.
func (g *gradients) look(p *palette, norm, factor float64) (color string, width float64, dashed bool, text string) {
	switch {
	case math.IsInf(norm, 0):
		return p.hazard, thickArrow, false, "not finite"
	case norm == 0:
		return p.zero, 1.4, true, "gradient 0"
	case factor != 0:
		return p.hazard, thickArrow, false, "gradient ×" + power(factor)
	}
	s := g.strength(norm)
	return mix(p.weak, p.strong, s), thinArrow + s*(thickArrow-1.2), false, ""
}

// power writes a factor in two digits: "2.3e+03".
func power(f float64) string { return strconv.FormatFloat(f, 'e', 1, 64) }

// normText writes a norm in three digits.
func normText(f float64) string { return strconv.FormatFloat(f, 'g', 3, 64) }

// mix is a colour between two, each "#rrggbb".
func mix(a, b string, t float64) string {
	out := []byte("#000000")
	for i := 1; i < 7; i += 2 {
		x, _ := strconv.ParseUint(a[i:i+2], 16, 8)
		y, _ := strconv.ParseUint(b[i:i+2], 16, 8)
		v := uint64(math.Round(float64(x) + (float64(y)-float64(x))*t))
		const digits = "0123456789abcdef"
		out[i], out[i+1] = digits[v>>4], digits[v&15]
	}
	return string(out)
}
