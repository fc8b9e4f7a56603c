package autograd

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestRandomProgramsHaveTheRightDerivatives composes operators of the table,
// with changes of views in between, and checks the derivatives of the programs.
func TestRandomProgramsHaveTheRightDerivatives(t *testing.T) {
	defer quiet()()
	parts := programParts()
	if len(parts) < 150 {
		t.Fatalf("only %d operators can be composed", len(parts))
	}
	if err := ManualSeed(2); err != nil { // GradGradCheck draws from the generator
		t.Fatal(err)
	}
	used := map[string]bool{}
	checked := 0
	for seed := range uint64(60) {
		p := &randomProgram{parts: parts, seed: seed}
		in := []*Tensor{
			spread([]int{2, 3}, int(seed), domains[""], false).RequiresGrad_(true),
			spread([]int{3}, int(seed)+1000, domains[""], false).RequiresGrad_(true),
		}
		if why := misfit(p.run(in)); why != "" {
			if strings.Contains(why, "internal error") {
				t.Errorf("program %d: %s: %s", seed, p, why)
			}
			continue
		}
		checked++
		for _, name := range p.names {
			used[name] = true
		}
		s := &opSample{text: p.String()}
		if s.expect(t, "gradient", GradCheck(p.run, in, GradCheckOptions{})) {
			s.expect(t, "second derivative", GradGradCheck(p.run, in, nil, GradCheckOptions{}))
		}
		s.expect(t, "forward mode", GradCheck(p.run, in, GradCheckOptions{Forward: true, SkipBackward: true}))
	}
	if checked < 50 || len(used) < 100 {
		t.Errorf("%d programs with %d different operators were checked", checked, len(used))
	}
}

// programParts returns the operators whose samples follow from the signature:
// they accept tensors of any shape. Operators with steps are left out, because
// programs easily reach the steps.
func programParts() (parts []*Op) {
	for _, o := range Ops() {
		_, written := writtenSamples[opKey(o)]
		switch {
		case written && !anyShape[opKey(o)], o.In&Hidden != 0, o.Node == "" && o.Compose == nil, o.Mutate != nil, strings.HasSuffix(o.schema.Name, "_"):
		case constantResults[opKey(o)] != "", underivable[o.schema.Name], o.Node == notImplemented, zeroByDesign[opKey(o)], implicit[opKey(o)], coarse[opKey(o)].Eps != 0:
		case drawsRandomNumbers(o), notComposed[opKey(o)], notComposed[o.schema.Name], raising[opKey(o)] != "":
		default:
			parts = append(parts, o)
		}
	}
	slices.SortFunc(parts, func(a, b *Op) int { return strings.Compare(a.Schema, b.Schema) }) // independent of the order of families
	return parts
}

var anyShape = set("matmul", "mm", "mv", "dot", "outer", "inner", "cross", "kron", "cosine_similarity", "t", "diag")

// notComposed are operators with steps, without a derivative, or without a
// second derivative at points that programs easily reach, such as dist of equal
// arguments.
var notComposed = set("floor", "ceil", "trunc", "round", "special_round", "frac", "sign", "sgn", "remainder", "fmod", "div.Tensor_mode", "nextafter",
	"unique", "unique_consecutive", "dist", "pairwise_distance")

// A randomProgram computes with operators chosen by a seed. The choice depends
// on shapes, never on values.
type randomProgram struct {
	parts []*Op
	seed  uint64
	names []string // the operators that ran
}

func (p *randomProgram) String() string {
	return fmt.Sprintf("%d: %s", p.seed, strings.Join(p.names, " "))
}

const programSteps = 10

func (p *randomProgram) run(in []*Tensor) []*Tensor {
	random := rand.New(rand.NewPCG(p.seed, 1))
	p.names = p.names[:0]
	pool := []*Tensor{in[0], in[1]}
	for len(p.names) < programSteps {
		o := p.parts[random.IntN(len(p.parts))]
		outs, err := p.step(o, pool, random)
		if err != nil && (asError(err).Code == CodeInternal || asError(err).Code == CodeNoDerivative) {
			return errTensor(err).alone()
		}
		for _, out := range outs {
			if out != nil && out.dtype == Float64 && out.Numel() > 0 && out.Numel() <= 12 {
				pool = append(pool, out.Tanh())
			}
		}
		if err == nil {
			p.names = append(p.names, opKey(o))
		}
		if random.IntN(4) == 0 {
			pool = append(pool, changedInPlace(pool[random.IntN(len(pool))], pool[random.IntN(len(pool))]))
		}
	}
	var total *Tensor
	for i, t := range pool {
		term := t.Mul(spread(t.sizes, 11*i, domains[""], false)).Sum()
		if total == nil {
			total = term
		} else {
			total = total.Add(term)
		}
	}
	return total.alone()
}

// step calls an operator with tensors of the pool, mapped into its domain. Constants that are
// added before keep them off zeros and equal elements, which other operators leave behind and
// where many have a kink or a pole.
func (p *randomProgram) step(o *Op, pool []*Tensor, random *rand.Rand) ([]*Tensor, error) {
	s := &opSample{op: o, values: make([]any, len(o.schema.Params)), given: make([]bool, len(o.schema.Params))}
	rest := &opSample{op: o}
	if texts := plainSamples(o); len(texts) > 0 {
		var err error
		if rest, err = parseSample(o, texts[0]); err != nil {
			return nil, err
		}
		copy(s.values, rest.values)
		copy(s.given, rest.given)
	}
	for _, i := range o.tensors {
		if q := o.schema.Params[i]; q.HasDefault || q.Optional {
			continue
		}
		t := pool[random.IntN(len(pool))]
		t = t.Add(spread(t.sizes, random.IntN(1<<16), domains[""], false).Mul(0.2))
		s.values[i], s.given[i] = into[sampleDomains[opKey(o)]](t), true
	}
	return s.run(o, false, s.values)
}

// into maps tensors into a domain.
var into = map[string]func(t *Tensor) *Tensor{
	"":         func(t *Tensor) *Tensor { return t },
	"positive": func(t *Tensor) *Tensor { return t.Mul(t).Add(0.3) },
	"unit":     func(t *Tensor) *Tensor { return t.Sigmoid() },
	"inner":    func(t *Tensor) *Tensor { return t.Tanh().Mul(0.9) },
	"above1":   func(t *Tensor) *Tensor { return t.Mul(t).Add(1.2) },
}

// changedInPlace changes a copy of t through a view of it.
func changedInPlace(t, by *Tensor) *Tensor {
	base := t.Clone()
	view := base
	if base.Dim() > 0 {
		view = base.Select(0, -1)
	}
	if err := view.Mul_(by.Sum().Cos()); err != nil {
		return errTensor(err)
	}
	return base
}
