package autograd

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/schema"
)

// An opSample is one call of an entry of the table, at which its derivatives
// are compared with finite differences. It is written as parameters and values:
//
//	input=2x4x5 weight=6x2x3:const stride=[2] groups=2
//
// A tensor is a shape (scalar for 0-d), with a domain and flags after a colon,
// or a JSON list of numbers. A | separates the tensors of a list. Omitted
// parameters have their defaults.
type opSample struct {
	op      *Op
	text    string
	values  []any
	given   []bool
	leaves  []sampleLeaf
	variant bool
}

// A sampleLeaf is a tensor with respect to which the sample is differentiated.
type sampleLeaf struct {
	param int
	item  int // index in a list, or -1
	t     *Tensor
	by    string // one of transforms, or ""
}

// domains map (0, 1) to arguments of an operator. The general domain has both
// signs.
var domains = map[string]func(u float64) float64{
	"":         func(u float64) float64 { return 4*u - 2 },
	"positive": func(u float64) float64 { return 0.2 + 2*u },
	"unit":     func(u float64) float64 { return 0.1 + 0.8*u },
	"inner":    func(u float64) float64 { return 1.8*u - 0.9 },
	"above1":   func(u float64) float64 { return 1.1 + 2*u },
	"above2":   func(u float64) float64 { return 2.1 + 2*u },
	"small":    func(u float64) float64 { return 0.2*u - 0.1 },
	"logprob":  func(u float64) float64 { return -0.2 - 2*u },
}

// transforms make structured arguments from unstructured leaves.
var transforms = map[string]func(t *Tensor) *Tensor{
	"gram":       func(t *Tensor) *Tensor { return t.Matmul(t.MT()).Add(eyeLike(t)) },
	"tril":       func(t *Tensor) *Tensor { return t.Tril() },
	"triu":       func(t *Tensor) *Tensor { return t.Triu() },
	"symmetric":  func(t *Tensor) *Tensor { return t.Add(t.MT()) },
	"logsoftmax": func(t *Tensor) *Tensor { return t.LogSoftmax(-1) },
}

func eyeLike(t *Tensor) *Tensor { return Eye(t.sizes[len(t.sizes)-1], WithDType(Float64)) }

// sampleFlags are the flags that may follow the domain of a tensor besides the
// names of transforms: const excludes the tensor from differentiation, T lays
// it out in memory in the opposite order, and eye adds twice the identity.
var sampleFlags = []string{"const", "T", "eye"}

// opKey names an entry of the table.
func opKey(o *Op) string {
	if o.schema.Overload == "" {
		return o.schema.Name
	}
	return o.schema.Name + "." + o.schema.Overload
}

func (s *opSample) String() string {
	if s.op == nil {
		return s.text
	}
	return opKey(s.op) + "(" + s.text + ")"
}

func parseSample(o *Op, text string) (*opSample, error) {
	n := len(o.schema.Params)
	s := &opSample{op: o, text: text, values: make([]any, n), given: make([]bool, n)}
	for _, field := range strings.Fields(text) {
		name, v, _ := strings.Cut(field, "=")
		p := o.param(name)
		if p < 0 {
			return nil, fmt.Errorf("%s: no parameter %s", s, name)
		}
		s.given[p] = true
		var err error
		if s.values[p], err = s.parse(p, v); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", s, field, err)
		}
	}
	return s, nil
}

func (s *opSample) parse(p int, text string) (any, error) {
	param := &s.op.schema.Params[p]
	switch {
	case text == "none":
		return nil, nil
	case param.Type == schema.Tensor && param.List:
		var list []*Tensor
		for i, item := range strings.Split(text, "|") {
			t, err := s.tensor(p, i, item)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
		}
		return list, nil
	case param.Type == schema.Tensor:
		return s.tensor(p, -1, text)
	case param.Type == schema.Index:
		if v, ok := indexArguments[text]; ok {
			return v, nil
		}
	case param.Type == schema.DType:
		return namedDType(text), nil
	case param.Type == schema.Str:
		return text, nil
	}
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err := d.Decode(&v)
	if list, ok := v.([]any); ok && param.Type == schema.Bool {
		flags := make([]bool, len(list))
		for i, x := range list {
			flags[i], _ = x.(bool)
		}
		return flags, err
	}
	a := &arguments{}
	return a.value(v), err
}

// tensor parses a tensor and records whether the sample is differentiated with
// respect to it.
func (s *opSample) tensor(p, item int, text string) (*Tensor, error) {
	if text == "none" {
		return nil, nil
	}
	if t, ok := indexArguments[text].(*Tensor); ok {
		return t, nil
	}
	if strings.HasPrefix(text, "[") {
		var v any
		err := json.Unmarshal([]byte(text), &v)
		switch {
		case strings.Contains(text, "e"):
			return New(v, WithDType(Bool)), err
		case strings.Contains(text, "."):
			return New(v, WithDType(Float64)), err
		}
		return New(v, WithDType(Int64)), err
	}
	shape, rest, _ := strings.Cut(text, ":")
	sizes := []int{}
	if shape != "scalar" {
		for _, n := range strings.Split(shape, "x") {
			size, err := strconv.Atoi(n)
			if err != nil {
				return nil, err
			}
			sizes = append(sizes, size)
		}
	}
	domain, transform, flags := "", "", strings.Split(rest, ",")
	for _, f := range flags {
		switch {
		case transforms[f] != nil:
			transform = f
		case !slices.Contains(sampleFlags, f):
			domain = f
		}
	}
	value, ok := domains[domain]
	if !ok {
		return nil, fmt.Errorf("no domain %s", domain)
	}
	t := spread(sizes, 7*p+item+3, value, slices.Contains(flags, "T"))
	if slices.Contains(flags, "eye") {
		t = t.Add(eyeLike(t).Mul(2.0))
	}
	if t.err != nil {
		return nil, t.err
	}
	if !slices.Contains(flags, "const") && s.mayRequireGrad(p) {
		s.leaves = append(s.leaves, sampleLeaf{p, item, t, transform})
	}
	return t, nil
}

// mayRequireGrad reports whether the operator can be differentiated with
// respect to a parameter. For composed operators this is not known in advance.
func (s *opSample) mayRequireGrad(p int) bool { return s.op.Compose != nil || s.op.differentiable(p) }

// spread makes a tensor of distinct, unordered values that are not close to
// multiples of 1/2, where many operators have kinks.
func spread(sizes []int, seed int, value func(u float64) float64, transposed bool) *Tensor {
	strides := contiguousStrides(sizes)
	if transposed {
		n := 1
		for d := range sizes {
			strides[d] = n
			n *= max(sizes[d], 1)
		}
	}
	t := laidOut(sizes, strides)
	random := rand.New(rand.NewPCG(uint64(seed), uint64(t.Numel())))
	for k, place := range random.Perm(t.Numel()) {
		x := value((float64(place) + 0.3 + 0.4*random.Float64()) / float64(t.Numel()))
		if math.Abs(2*x-math.Round(2*x)) < 0.02 {
			x += 0.03
		}
		t.setElement(t.at(k), FloatScalar(x))
	}
	return t
}

// laidOut makes a float64 tensor with the given strides.
func laidOut(sizes, strides []int) *Tensor {
	t := alloc(Float64, []int{numel(sizes)}).shallow(sizes, strides, 0)
	t.st.aliased = false
	return t
}

// inputs returns new leaves with the values of the sample.
func (s *opSample) inputs() []*Tensor {
	in := make([]*Tensor, len(s.leaves))
	for i, l := range s.leaves {
		c := laidOut(l.t.sizes, l.t.strides)
		copyData(c, l.t)
		in[i] = c.RequiresGrad_(true)
	}
	return in
}

// function returns the sample as a function of its leaves. A tensor that the
// operator changes is copied first.
func (s *opSample) function() func(in []*Tensor) []*Tensor {
	inPlace := s.op.Mutate != nil
	return func(in []*Tensor) []*Tensor {
		outs, err := s.call(s.op, inPlace, in, s.changesSelf())
		if err != nil {
			return errTensor(err).alone()
		}
		return outs
	}
}

// changesSelf reports whether the call changes its first tensor.
func (s *opSample) changesSelf() bool {
	if p := s.op.param("inplace"); p >= 0 && s.values[p] == true {
		return true
	}
	return s.op.Mutate != nil || strings.HasSuffix(s.op.schema.Name, "_") || s.op.schema.Name == "__setitem__"
}

// call runs an operator with the sample's signature on other leaves.
func (s *opSample) call(o *Op, inPlace bool, in []*Tensor, copySelf bool) (outs []*Tensor, err error) {
	defer func() {
		if r := recover(); r != nil {
			outs, err = nil, panicError(s.String(), r)
		}
	}()
	if drawsRandomNumbers(o) {
		if err := ManualSeed(1); err != nil {
			return nil, err
		}
	}
	values := s.withLeaves(in)
	if copySelf {
		first := s.op.tensors[0]
		switch x := values[first].(type) {
		case *Tensor:
			values[first] = x.Clone()
		case []*Tensor:
			for i, t := range x {
				x[i] = t.Clone()
			}
		}
	}
	outs, err = s.run(o, inPlace, values)
	if s.op.schema.Name == "__setitem__" && err == nil {
		outs = values[0].(*Tensor).alone()
	}
	return slices.DeleteFunc(slices.Clone(outs), func(t *Tensor) bool { return t == nil }), err
}

// withLeaves returns the arguments with other tensors instead of the leaves.
func (s *opSample) withLeaves(in []*Tensor) []any {
	values := slices.Clone(s.values)
	for i, v := range values {
		if list, ok := v.([]*Tensor); ok {
			values[i] = slices.Clone(list)
		}
	}
	for i, l := range s.leaves {
		t := in[i]
		if l.by != "" {
			t = transforms[l.by](t)
		}
		if l.item < 0 {
			values[l.param] = t
		} else {
			values[l.param].([]*Tensor)[l.item] = t
		}
	}
	return values
}

func (s *opSample) run(o *Op, inPlace bool, values []any) ([]*Tensor, error) {
	if err := carried(values); err != nil {
		return nil, err
	}
	op, _ := Lookup(o.callName())
	a := new(Args)
	a.reset(o, o.schema.Name, inPlace)
	for p := range o.schema.Params {
		param := &o.schema.Params[p]
		switch {
		case !s.given[p] && !param.HasDefault:
			return nil, fmt.Errorf("%s: parameter %s has no value", s, param.Name)
		case !s.given[p]:
			a.values[p].setDefault(param)
		case !a.values[p].convert(op, param, values[p]):
			return nil, fmt.Errorf("%s: parameter %s does not take %v", s, param.Name, values[p])
		}
	}
	return o.run(a, inPlace)
}

// drawsRandomNumbers reports whether an operator uses the generator. Then the
// generator is reset for each call, so that the operator is a function.
func drawsRandomNumbers(o *Op) bool {
	return o.param("generator") >= 0 || o.param("training") >= 0 || o.param("train") >= 0 ||
		o.param("dropout_p") >= 0 || strings.Contains(o.schema.Name, "dropout")
}
