package autograd

import (
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/schema"
	"github.com/gradtui/gradtui/inspect/formula"
)

// A derivative is what the table says about the gradient of one input of a node.
type derivative struct {
	op    *Op
	input string
	when  string // what must hold of the call: max=None; empty: nothing
	expr  *formula.Expr
}

// A variant is a formula, with the samples that compute it.
type variant struct {
	sketch  *sketch
	samples []*sampleTrace
}

// derivatives traces all operators. A gradient that no one formula describes, or that differs in what a tape does
// not show, is left out.
func derivatives() (all []derivative) {
	for _, o := range Ops() {
		if len(o.VJP) == 0 || o.Node == "" || o.Node == notImplemented {
			continue
		}
		all = append(all, derivativesOf(o)...)
	}
	return all
}

func derivativesOf(o *Op) (all []derivative) {
	variants := map[string][]*variant{}
	for _, s := range tracedSamples(o) {
		for _, zero := range []bool{false, true} {
			for item := range s.items() {
				tr, found := trace(s, zero, item)
				if tr == nil || tr.empty() {
					continue
				}
				for input, c := range found {
					variants[input] = added(variants[input], c, tr)
				}
			}
		}
	}
	for _, in := range o.inputs {
		name := o.schema.Params[in.param].Name
		forms := subsumed(variants[name])
		names, conditions, ok := told(forms)
		if !ok {
			for _, v := range forms {
				v.sketch = reshaped(v.sketch, name)
			}
			forms = subsumed(forms)
			if names, conditions, ok = told(forms); !ok {
				continue
			}
		}
		for i, v := range forms {
			if e := v.sketch.expr(); e != nil && !guessed(e) {
				for _, when := range shortest(names, conditions, i) {
					all = append(all, derivative{o, name, when, e.In(formula.Env{})})
				}
			}
		}
	}
	return all
}

// rareSamples are calls that the gradient checks do not have: with options that decide how a gradient is
// computed, each independent of the others, and options for which it is not the derivative of the result.
var rareSamples = map[string][]string{
	"embedding":         {"weight=4x3 indices=[2,0,2] padding_idx=2", "weight=4x3 indices=[[1,3],[1,0]] padding_idx=1", "weight=4x3 indices=[2,0,2] scale_grad_by_freq=true", "weight=4x3 indices=[2,0,2] padding_idx=2 scale_grad_by_freq=true"},
	"native_layer_norm": {"input=2x3 normalized_shape=[3] weight=3 bias=none eps=0.1", "input=2x3 normalized_shape=[3] weight=none bias=3 eps=0.1"},
	"native_batch_norm": {
		"input=4x3 weight=3 bias=3 running_mean=3 running_var=3:positive training=true momentum=0.1 eps=0.1",
		"input=2x3x2 weight=3 bias=3 running_mean=none running_var=none training=true momentum=0.1 eps=0.1",
		"input=4x3 weight=none bias=none running_mean=3:const running_var=3:positive,const training=true momentum=0.1 eps=0.1",
		"input=4x3 weight=none bias=none running_mean=3:const running_var=3:positive,const training=false momentum=0.1 eps=0.1",
		"input=2x3x2x2 weight=3 bias=none running_mean=3:const running_var=3:positive,const training=false momentum=0.1 eps=0.1",
		"input=2x3x2x2 weight=none bias=3 running_mean=3:const running_var=3:positive,const training=false momentum=0.1 eps=0.2",
	},
	"nll_loss_forward": {
		"self=2x3 target=[2,0] weight=none reduction=0 ignore_index=-100", "self=2x3 target=[2,0] weight=none reduction=2 ignore_index=-100",
		"self=2x3 target=[2,0] weight=none reduction=1 ignore_index=2", "self=2x3 target=[2,0] weight=none reduction=0 ignore_index=2",
		"self=2x3 target=[2,0] weight=3:positive,const reduction=1 ignore_index=-100", "self=2x3 target=[2,0] weight=3:positive,const reduction=2 ignore_index=1",
		"self=2x3 target=[2,0] weight=3:positive,const reduction=1 ignore_index=2",
	},
	"norm.all":            {"self=2x3 p=4"},
	"var.correction":      {"self=2x3 dim=[1] correction=0", "self=2x3 dim=[0] correction=0 keepdim=true", "self=2x3 correction=2"},
	"std.correction":      {"self=2x3 dim=[1] correction=0", "self=2x3 dim=[0] correction=0 keepdim=true", "self=2x3 correction=2"},
	"var_mean.correction": {"self=2x3 dim=[1] correction=0", "self=2x3 dim=[0] correction=0 keepdim=true", "self=2x3 correction=2"},
	"std_mean.correction": {"self=2x3 dim=[1] correction=0", "self=2x3 dim=[0] correction=0 keepdim=true", "self=2x3 correction=2"},
}

// tracedSamples returns the samples of the gradient checks, and more with other numbers and with keepdim.
func tracedSamples(o *Op) (all []*opSample) {
	list, _, err := samplesOf(o)
	if err != nil {
		return nil
	}
	texts := slices.Clone(rareSamples[opKey(o)])
	for _, s := range list {
		texts = append(append(texts, s.text), moreSamples(o, s.text)...)
	}
	if o.param("keepdim") >= 0 {
		for _, text := range slices.Clone(texts) {
			if !strings.Contains(text, "keepdim") {
				texts = append(texts, text+" keepdim=true")
			}
		}
	}
	for _, text := range texts {
		if s, err := parseSample(o, text); err == nil {
			all = append(all, s)
		}
	}
	return all
}

// empty reports whether an input of the sample has no elements. What is computed of nothing shows nothing.
func (s *sampleTrace) empty() bool {
	for _, in := range s.op.inputs {
		if shape, ok := s.shapes[s.op.schema.Params[in.param].Name]; ok && numel(shape) == 0 {
			return true
		}
	}
	return false
}

// guessed reports whether a formula has a size, or a list of numbers, that comes from nowhere: all samples have
// the same.
func guessed(e *formula.Expr) (yes bool) {
	e.Walk(func(x *formula.Expr) {
		if n, ok := x.Number(); ok && n == math.Trunc(n) && n > 3 && n < 1e6 {
			yes = true
		}
		if x.IsList() && len(x.Args) > 0 {
			_, number := x.Args[0].Number()
			yes = yes || number
		}
	})
	return yes
}

// added adds a trace to the variant that it is like.
func added(list []*variant, c *sketch, s *sampleTrace) []*variant {
	for _, v := range list {
		if both, ok := unify(v.sketch, c); ok {
			v.sketch = both
			v.samples = append(v.samples, s)
			return list
		}
	}
	return append(list, &variant{c, []*sampleTrace{s}})
}

// subsumed leaves out variants that are special cases of others: without a factor that is 1 in their samples.
func subsumed(list []*variant) []*variant {
	slices.SortStableFunc(list, func(a, b *variant) int { return b.sketch.size - a.sketch.size })
	var kept []*variant
	for _, v := range list {
		general := slices.IndexFunc(kept, func(k *variant) bool {
			x, y := k.sketch.expr(), v.sketch.expr()
			return x != nil && y != nil && !slices.ContainsFunc(v.samples, func(s *sampleTrace) bool {
				return x.In(s.env()).String() != y.In(s.env()).String()
			})
		})
		if general >= 0 {
			kept[general].samples = append(kept[general].samples, v.samples...)
		} else {
			kept = append(kept, v)
		}
	}
	return kept
}

// told finds what on a tape tells the variants apart: one or two facts. It returns for each variant the values of
// these facts for which it holds.
func told(list []*variant) (names []string, conditions [][][]string, ok bool) {
	switch len(list) {
	case 0:
		return nil, nil, false
	case 1:
		return nil, [][][]string{{nil}}, true
	}
	facts := map[string]bool{}
	for _, v := range list {
		for _, s := range v.samples {
			for name := range s.facts() {
				facts[name] = true
			}
		}
	}
	all := slices.Sorted(maps.Keys(facts))
	without := func(names []string, prefix string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return strings.HasPrefix(name, prefix) })
	}
	shapes := without(all, "zero(")
	for _, names := range [][]string{without(shapes, "dim("), shapes, all} {
		for n := 1; n <= 3; n++ {
			for names := range choices(names, n) {
				if conditions, ok := toldBy(list, names...); ok {
					return names, conditions, true
				}
			}
		}
	}
	return nil, nil, false
}

// choices yields the ways to choose n names, in order.
func choices(names []string, n int) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		if n == 0 {
			yield(nil)
			return
		}
		for i, name := range names {
			for rest := range choices(names[i+1:], n-1) {
				if !yield(append([]string{name}, rest...)) {
					return
				}
			}
		}
	}
}

// shortest returns the conditions of a variant without facts that do not tell it from others.
func shortest(names []string, conditions [][][]string, variant int) (list []string) {
	holdsElsewhere := func(when []string) bool {
		for i, others := range conditions {
			for _, other := range others {
				differs := i == variant
				for k := range when {
					differs = differs || when[k] != "" && when[k] != other[k]
				}
				if !differs {
					return true
				}
			}
		}
		return false
	}
	for _, when := range conditions[variant] {
		when = slices.Clone(when)
		var parts []string
		for k, value := range when {
			if when[k] = ""; holdsElsewhere(when) {
				when[k] = value
				parts = append(parts, names[k]+"="+value)
			}
		}
		if text := strings.Join(parts, " "); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

func toldBy(list []*variant, names ...string) (conditions [][][]string, ok bool) {
	owner := map[string]int{}
	conditions = make([][][]string, len(list))
	for i, v := range list {
		for _, s := range v.samples {
			facts := s.facts()
			var values []string
			for _, name := range names {
				values = append(values, facts[name])
			}
			key := strings.Join(values, " ")
			if of, known := owner[key]; known && of != i {
				return nil, false
			} else if !known {
				owner[key] = i
				conditions[i] = append(conditions[i], values)
			}
		}
	}
	return conditions, true
}

// facts are what a tape shows of a call besides tensors, as far as it is one of few possibilities.
func (s *sampleTrace) facts() map[string]string {
	facts := map[string]string{}
	for name, v := range s.visible() {
		switch p := s.op.schema.Params[s.op.param(name)]; {
		case v.Leaf == "None" || p.Type == schema.Bool && !p.List || p.Type == schema.Str || p.Name == "reduction":
			facts[name] = v.String()
		default:
			facts[name] = "given"
		}
	}
	for name, v := range s.visible() {
		if class := formula.Class(name, v); class != "" {
			facts["is("+name+")"] = class
		}
	}
	for name, zero := range s.zeros {
		facts["zero("+name+")"] = "no"
		if zero {
			facts["zero("+name+")"] = "yes"
		}
	}
	for _, slot := range s.op.slots {
		if facts[slot.name] = "None"; s.lists[slot.name] != nil {
			facts[slot.name] = "given"
		}
		if s.shapes[slot.name] != nil {
			facts[slot.name] = "given"
		}
	}
	for _, in := range s.op.inputs {
		name := s.op.schema.Params[in.param].Name
		switch shape, ok := s.shapes[name]; {
		case !ok:
			facts["dim("+name+")"] = "None"
		case len(shape) == 0:
			facts["dim("+name+")"] = "0"
		default:
			facts["dim("+name+")"] = "given"
		}
	}
	return facts
}
