package usage

import (
	"math"

	"github.com/gradtui/gradtui/graph"
)

// A ParameterStat says how the steps of optimizers changed a parameter.
type ParameterStat struct {
	Tensor graph.TensorID
	Name   string // the newest; "": it has none
	Shape  []int
	Steps  []ParameterStep
}

// A ParameterStep is a step of an optimizer for one parameter. What is not known is NaN.
type ParameterStep struct {
	At       graph.Pos
	Norm     float64 // of the parameter, after the step
	Gradient float64 // the norm of the gradient that the step used
	Ratio    float64 // the norm of the change by the norm before; needs all elements
}

// Parameters returns the parameters that optimizers have updated in the first events of a tape,
// in the order of their first steps.
func Parameters(tape *graph.Tape, events graph.Pos) (all []*ParameterStat) {
	found := map[graph.TensorID]*ParameterStat{}
	var begun []before
	d, cursor := tape.NewDecoder(), tape.CursorAt(0)
	for p := range events {
		if kind, err := d.Kind(p); err != nil || kind != graph.KindOptimizerStepped {
			continue
		}
		_, e, err := d.ReadUntimed(p)
		step, ok := e.(*graph.OptimizerStepped)
		if !ok || err != nil {
			continue
		}
		cursor.Seek(p + 1)
		g := cursor.Graph()
		if !step.Done {
			begun = begun[:0]
			for _, id := range step.Params {
				begun = append(begun, beforeStep(g, id))
			}
			continue
		}
		for _, b := range begun {
			t, ok := g.Tensor(b.id)
			if !ok {
				continue
			}
			stat := found[b.id]
			if stat == nil {
				stat = &ParameterStat{Tensor: b.id}
				found[b.id] = stat
				all = append(all, stat)
			}
			if t.Name != "" {
				stat.Name = t.Name
			}
			stat.Shape = t.Shape
			stat.Steps = append(stat.Steps, ParameterStep{p, norm(t), b.gradient, b.ratio(t)})
		}
		begun = begun[:0]
	}
	return all
}

// before is what a step finds.
type before struct {
	id       graph.TensorID
	gradient float64
	norm     float64
	elements []float64 // nil: not all are known
}

func beforeStep(g *graph.Graph, id graph.TensorID) before {
	b := before{id: id, gradient: math.NaN(), norm: math.NaN()}
	t, ok := g.Tensor(id)
	if !ok {
		return b
	}
	b.norm = norm(t)
	if t.Value.Whole() && !t.ValueStale {
		b.elements = append([]float64(nil), t.Value.First...)
	}
	if grad, ok := g.Tensor(t.Grad); ok {
		b.gradient = norm(grad)
	}
	return b
}

// norm returns the norm of a tensor; NaN if it is not known, infinite if it has elements that
// are not finite.
func norm(t graph.Tensor) float64 {
	if t.ValueStale {
		return math.NaN()
	}
	return t.Value.KnownNorm()
}

// ratio compares a parameter with what it was before the step.
func (b *before) ratio(t graph.Tensor) float64 {
	if b.elements == nil || !t.Value.Whole() || t.ValueStale || len(t.Value.First) != len(b.elements) {
		return math.NaN()
	}
	squares := 0.0
	for i, x := range t.Value.First {
		squares += (x - b.elements[i]) * (x - b.elements[i])
	}
	return math.Sqrt(squares) / b.norm
}
