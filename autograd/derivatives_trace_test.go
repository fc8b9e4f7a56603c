package autograd

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/schema"
	"github.com/gradtui/gradtui/inspect/formula"
)

// This file finds out what a derivative computes: it runs the formula of an operator on samples, with the table's
// kernels replaced by ones that note their calls.

// A sketch is a traced formula. A literal may have come from several places: an argument, a shape, the formula
// itself. Other samples show from which.
type sketch struct {
	op   string
	out  int
	args []sketchArg
	// from holds what a leaf may be, as text, the most likely first. The name of a tensor is the only one.
	from []string
	size int
	dims []int // of a call of unsqueeze that restores several
}

type sketchArg struct {
	name   string // empty for tensors
	param  string
	other  string // the parameter's default
	number string // the value in this sample
	*sketch
}

// maxSketch is how large a formula may be. Larger ones explain nothing.
const maxSketch = 40

// A sampleTrace traces the formulas of one sample.
type sampleTrace struct {
	op     *Op
	terms  map[*Tensor]*sketch
	alive  []*Tensor // so that no address is used twice
	attrs  map[string]*formula.Expr
	shapes map[string][]int
	lists  map[string][]*Tensor // saved lists
}

// tracer is the trace of the formula that runs, nil between formulas.
var tracer *sampleTrace

// traceCalls makes all kernels of the table note their calls, until undo.
func traceCalls() (undo func()) {
	type kernels struct {
		forward func(*Args) ([]*Tensor, error)
		mutate  func(*Args) error
	}
	before := map[*Op]kernels{}
	for _, op := range operators {
		for _, o := range op.ops {
			if _, done := before[o.Op]; done {
				continue
			}
			k := kernels{o.Forward, o.Mutate}
			before[o.Op] = k
			if k.forward != nil {
				o.Forward = func(a *Args) ([]*Tensor, error) {
					return traced(a, func() ([]*Tensor, error) { return k.forward(a) })
				}
			}
			if k.mutate != nil {
				o.Mutate = func(a *Args) error {
					_, err := traced(a, func() ([]*Tensor, error) { return a.Self().alone(), k.mutate(a) })
					return err
				}
			}
		}
	}
	return func() {
		for o, k := range before {
			o.Forward, o.Mutate = k.forward, k.mutate
		}
	}
}

// traced runs a kernel and notes the call. Calls inside a kernel are part of it.
func traced(a *Args, kernel func() ([]*Tensor, error)) ([]*Tensor, error) {
	s := tracer
	if s == nil {
		return kernel()
	}
	op, args := a.op, s.args(a)
	tracer = nil
	outs, err := kernel()
	tracer = s
	for i, t := range outs {
		if t != nil {
			s.alive = append(s.alive, t)
			s.terms[t] = s.written(s.restored(sized(&sketch{op: op.callName(), out: i, args: args})), op, args)
		}
	}
	return outs, err
}

// restored makes one call of several that give a reduced tensor its dimensions back, so that the formula of a
// reduction does not depend on how many there are: unsqueeze(grad, dim=dim).
func (s *sampleTrace) restored(c *sketch) *sketch {
	p := s.op.param("dim")
	if c.op != "unsqueeze" || p < 0 || !s.op.schema.Params[p].List {
		return c
	}
	x, dims := c.args[0].sketch, []int{}
	if x.op == "unsqueeze" {
		dims = slices.Clone(x.dims)
		x = x.args[0].sketch
	}
	d, err := strconv.Atoi(c.args[1].number)
	if err != nil {
		panic(err)
	}
	dims = append(dims, d)
	return &sketch{op: c.op, size: c.size, dims: dims, args: []sketchArg{{sketch: x}, {name: "dim", sketch: s.literal("dim", formula.Ints(dims))}}}
}

// sized fills in the size of a call.
func sized(c *sketch) *sketch {
	c.size = 1
	for _, a := range c.args {
		c.size += a.size
	}
	if c.size > maxSketch {
		return &sketch{op: "…", size: maxSketch + 1}
	}
	return c
}

func (s *sampleTrace) args(a *Args) (args []sketchArg) {
	for i := range a.op.schema.Params {
		p, v := &a.op.schema.Params[i], &a.values[i]
		switch x := v.x.(type) {
		case *Tensor:
			args = append(args, sketchArg{param: p.Name, sketch: s.term(x)})
			continue
		case []*Tensor:
			if name := s.savedList(x); name != "" {
				args = append(args, sketchArg{name: p.Name, sketch: &sketch{from: []string{name}, size: 1}})
				continue
			}
			list := &sketch{}
			for _, t := range x {
				list.args = append(list.args, sketchArg{sketch: s.term(t)})
			}
			args = append(args, sketchArg{name: p.Name, sketch: sized(list)})
			continue
		}
		if p.Name == "output_mask" {
			continue // which results are wanted
		}
		if p.Type == schema.Tensor { // None, perhaps because the program gave none
			none := &sketch{from: []string{"None"}, size: 1}
			if s.isNone(p.Name) {
				none.from = []string{p.Name, "None"}
			}
			args = append(args, sketchArg{param: p.Name, sketch: none})
			continue
		}
		var fallback value
		fallback.setDefault(p)
		now := literal(p, v)
		args = append(args, sketchArg{name: p.Name, param: p.Name, other: literal(p, &fallback).String(), number: now.String(), sketch: s.literal(p.Name, now)})
	}
	return args
}

// isNone reports whether the node would have saved a tensor of a name, if there had been one.
func (s *sampleTrace) isNone(name string) bool {
	return s.shapes[name] == nil && slices.ContainsFunc(s.op.slots, func(x slot) bool { return x.name == name && !x.list })
}

// savedList returns the name of a list that the node has saved.
func (s *sampleTrace) savedList(list []*Tensor) string {
	for name, saved := range s.lists {
		if len(list) > 0 && slices.Equal(list, saved) {
			return name
		}
	}
	return ""
}

// literal returns an argument that is not a tensor.
func literal(p *schema.Param, v *value) *formula.Expr {
	return formula.Value(attrOf(p, v, false, new(attrMemory)))
}

// term returns what a tensor is in terms of the gradient and what the node saved.
func (s *sampleTrace) term(t *Tensor) *sketch {
	if t == nil {
		return &sketch{from: []string{"None"}, size: 1}
	}
	if x := s.terms[t]; x != nil {
		return x
	}
	var first Scalar
	for i := range t.Numel() {
		switch x := t.element(t.at(i)); {
		case i == 0:
			first = x
		case x.Float() != first.Float():
			return &sketch{op: "…", size: maxSketch + 1}
		}
	}
	n := s.literal("", formula.Number(first.Float()))
	if t.flags&numberFlag != 0 {
		return n
	}
	return sized(&sketch{op: "const", args: []sketchArg{{sketch: n}, {name: "size", sketch: s.literal("size", formula.Ints(t.sizes))}}})
}

// literal returns a leaf that may come from all that has its value.
func (s *sampleTrace) literal(param string, v *formula.Expr) *sketch {
	from := []string{}
	text := v.String()
	x, number := v.Number()
	names := slices.Sorted(maps.Keys(s.attrs))
	same := func(name string) bool {
		y, ok := s.attrs[name].Number()
		return s.attrs[name].String() == text || number && ok && x == y
	}
	if s.attrs[param] != nil && same(param) {
		from = append(from, param)
	}
	var others []string
	for _, name := range names {
		if name != param && same(name) {
			others = append(others, name)
		}
	}
	for _, name := range names {
		if v.IsList() && len(v.Args) == 1 && s.attrs[name].Leaf != "" && s.attrs[name].Leaf == v.Args[0].Leaf {
			others = append(others, "["+name+"]")
		}
	}
	for _, name := range s.tensors() {
		if v.IsList() && formula.Ints(s.shapes[name]).String() == text {
			others = append(others, "shape("+name+")")
		}
	}
	others = append(others, s.computed(x, number)...)
	if number && !inFormulas[x] || v.IsList() {
		from = append(append(from, others...), text)
	} else {
		from = append(append(from, text), others...)
	}
	return &sketch{from: from, size: 1}
}

// inFormulas holds numbers that are more likely part of a formula than the size of something.
var inFormulas = map[float64]bool{-2: true, -1: true, -0.5: true, 0: true, 0.5: true, 1: true, 2: true}

// computed returns simple functions of the arguments and shapes that have a value.
func (s *sampleTrace) computed(x float64, number bool) (from []string) {
	if !number {
		return nil
	}
	near := func(y float64) bool { return x == y || x != 0 && (x-y)/x < 1e-12 && (y-x)/x < 1e-12 }
	names := slices.Sorted(maps.Keys(s.attrs))
	for _, name := range names {
		y, ok := s.attrs[name].Number()
		if !ok {
			continue
		}
		for _, form := range []string{"sub(%s, 1)", "sub(1, %s)", "neg(%s)", "add(%s, 1)", "log(%s)", "div(1, %s)", "sub(%s, 2)"} {
			e, err := formula.Parse(fmt.Sprintf(form, name))
			if err != nil {
				panic(err)
			}
			value := e.In(formula.Env{Attr: func(string) (*formula.Expr, bool) { return formula.Number(y), true }})
			if z, ok := value.Number(); ok && near(z) {
				from = append(from, e.String())
			}
		}
	}
	for _, a := range s.tensors() {
		shape := s.shapes[a]
		if near(float64(numel(shape))) {
			from = append(from, "numel("+a+")")
		}
		for dim, n := range shape {
			if len(shape) > 1 && near(float64(n)) {
				from = append(from, fmt.Sprintf("size(%s, %d)", a, dim))
			}
		}
	}
	for _, a := range s.tensors() {
		for _, b := range s.tensors() {
			if n := numel(s.shapes[b]); a != b && n > 0 && near(float64(numel(s.shapes[a]))/float64(n)) {
				from = append(from, "div(numel("+a+"), numel("+b+"))")
			}
		}
	}
	return from
}

// tensors returns the names of tensors whose shapes are known, parameters first.
func (s *sampleTrace) tensors() []string {
	return slices.SortedFunc(maps.Keys(s.shapes), func(a, b string) int {
		if x, y := formula.IsGrad(a), formula.IsGrad(b); x != y {
			if x {
				return 1
			}
			return -1
		}
		return strings.Compare(a, b)
	})
}

// unify returns what two traces of one formula have in common. ok is false if they compute something else.
func unify(a, b *sketch) (c *sketch, ok bool) {
	if a.op != b.op || a.out != b.out || len(a.args) != len(b.args) || (a.from == nil) != (b.from == nil) {
		return nil, false
	}
	c = &sketch{op: a.op, out: a.out, size: a.size}
	if a.from != nil {
		for _, f := range a.from {
			if slices.Contains(b.from, f) {
				c.from = append(c.from, f)
			}
		}
		return c, len(c.from) > 0
	}
	for i, x := range a.args {
		if x.name != b.args[i].name {
			return nil, false
		}
		arg, ok := unify(x.sketch, b.args[i].sketch)
		if !ok {
			return nil, false
		}
		c.args = append(c.args, sketchArg{name: x.name, other: x.other, sketch: arg})
	}
	return c, true
}

// expr returns the formula, with the most likely origin of each literal, and without arguments that have their
// default values. It is nil if the formula is too large, or depends on what was not traced.
func (c *sketch) expr() *formula.Expr {
	if c.size > maxSketch {
		return nil
	}
	if c.from != nil {
		e, err := formula.Parse(c.from[0])
		if err != nil {
			panic(err)
		}
		return e
	}
	e := &formula.Expr{Op: c.op, Out: c.out}
	for _, a := range c.args {
		x := a.sketch.expr()
		switch {
		case x == nil:
			return nil
		case a.name == "" || x.String() != a.other:
			e.Args = append(e.Args, formula.Arg{Name: a.name, Expr: x})
		}
	}
	if c.op == "" {
		return e
	}
	if len(e.Args) == 0 {
		return nil
	}
	return e
}

// trace runs the formulas of a sample, of which an element may be zero: some formulas look at the elements. It returns what each input's gradient is, by the names of inputs; nil if
// the sample cannot be called.
func trace(s *opSample, zero bool) (*sampleTrace, map[string]*sketch) {
	o := s.op
	in := s.inputs()
	if zero {
		for i, t := range in {
			if t.Numel() > 1 {
				t.setElement(t.at(i%t.Numel()), FloatScalar(0))
			}
		}
	}
	outs, err := s.call(o, o.Mutate != nil, in, s.changesSelf())
	if err != nil || len(outs) == 0 || outs[0].gradFn == nil || outs[0].gradFn.op != o {
		return nil, nil
	}
	n := outs[0].gradFn
	tr := &sampleTrace{op: o, terms: map[*Tensor]*sketch{}, attrs: map[string]*formula.Expr{}, shapes: map[string][]int{}, lists: map[string][]*Tensor{}}
	for i := range o.schema.Params {
		p := &o.schema.Params[i]
		v := s.values[i]
		switch t := v.(type) {
		case *Tensor:
			tr.shapes[p.Name] = t.sizes
		case []*Tensor:
		default:
			if p.Type == schema.Tensor || p.Type == schema.Index {
				continue
			}
			if n.args != nil {
				tr.attrs[p.Name] = literal(p, &n.args.values[i])
			}
		}
	}
	c := &Ctx{node: n}
	for i := range n.outs {
		name := "grad"
		if len(n.outs) > 1 {
			name += strconv.Itoa(i)
		}
		g := spread(n.outs[i].sizes, 99+i, domains[""], false).RequiresGrad_(true)
		c.grads = append(c.grads, g)
		tr.terms[g] = &sketch{from: []string{name}, size: 1}
		tr.shapes[name] = g.sizes
	}
	if c.unpack() != nil {
		return nil, nil
	}
	for i := range o.slots {
		if o.slots[i].list {
			tr.lists[o.slots[i].name] = c.SavedList(o.slots[i].name)
		}
	}
	for i, name := range o.slotNamesOf(n) {
		if strings.Contains(name, "[") {
			continue
		}
		if t := c.saved[i]; t != nil {
			tr.terms[t] = &sketch{from: []string{name}, size: 1}
			tr.shapes[name] = t.sizes
		}
	}
	found := map[string]*sketch{}
	for i := range o.VJP {
		f := &o.VJP[i]
		if !o.formulaWanted(n, i) {
			continue
		}
		inputs := strings.Fields(f.Input)
		for k, t := range tr.run(f, c) {
			if k < len(inputs) && t != nil && t.err == nil && c.Needs(inputs[k]) && !s.isList(inputs[k]) {
				found[inputs[k]] = tr.reduced(tr.term(t), t, inputs[k])
			}
		}
	}
	return tr, found
}

// reduced writes a sum over whichever dimensions were broadcast as what it is: a sum to the shape of the input.
func (s *sampleTrace) reduced(c *sketch, t *Tensor, input string) *sketch {
	sum := c
	if c.op == "view" {
		sum = c.args[0].sketch
	}
	if sum.op != "sum" || s.op.param("dim") >= 0 || !slices.Equal(t.sizes, s.shapes[input]) {
		return c
	}
	return sized(&sketch{op: "sum_to_size", args: []sketchArg{sum.args[0], {name: "size", sketch: &sketch{from: []string{"shape(" + input + ")"}, size: 1}}}})
}

// reshaped writes what only adds and removes dimensions of size one as what it is: a view in the shape of the input.
func reshaped(c *sketch, input string) *sketch {
	x := c
	for x.op == "view" || x.op == "unsqueeze" || x.op == "squeeze" {
		x = x.args[0].sketch
	}
	if x.from == nil {
		return c
	}
	return sized(&sketch{op: "view", args: []sketchArg{{sketch: x}, {name: "size", sketch: &sketch{from: []string{"shape(" + input + ")"}, size: 1}}}})
}

func (s *opSample) isList(input string) bool { return s.op.schema.Params[s.op.param(input)].List }

// run runs a formula while calls are noted.
func (s *sampleTrace) run(f *Formula, c *Ctx) (grads []*Tensor) {
	tracer = s
	defer func() {
		tracer = nil
		if recover() != nil {
			grads = nil // such a sample has no gradients
		}
	}()
	if f.Of != nil {
		return f.Of(c).alone()
	}
	return f.All(c)
}

// moreSamples returns texts of samples with other values for the numbers of a sample, which show where numbers in
// its formula come from.
func moreSamples(o *Op, text string) (more []string) {
	fields := strings.Fields(text)
	for i, field := range fields {
		name, v, _ := strings.Cut(field, "=")
		p := o.param(name)
		if p < 0 {
			continue
		}
		var others []string
		param := &o.schema.Params[p]
		switch x, err := strconv.ParseFloat(v, 64); {
		case param.List && strings.HasPrefix(name, "dim"):
			others = []string{"[0]", "[1]", "[-1]", "[0,1]"}
		case err != nil || name == "reduction":
		case param.Type == schema.Int:
			others = []string{"0", "1", "2", "-1"}
		default:
			others = []string{strconv.FormatFloat(1.3*x+0.11, 'g', -1, 64), "2", "3"}
		}
		for _, other := range others {
			changed := slices.Clone(fields)
			changed[i] = name + "=" + other
			more = append(more, strings.Join(changed, " "))
		}
	}
	return more
}

// visible returns the values of a sample that a tape has as well: attributes of the node.
func (s *sampleTrace) visible() map[string]*formula.Expr {
	seen := map[string]*formula.Expr{}
	for _, a := range s.op.attrs {
		if v := s.attrs[a.name]; a.fact == "" && v != nil {
			seen[a.name] = v
		}
	}
	return seen
}

func (s *sampleTrace) env() formula.Env {
	return formula.Env{
		Attr: func(name string) (*formula.Expr, bool) {
			v, ok := s.attrs[name]
			return v, ok
		},
		Shape: func(name string) ([]int, bool) {
			v, ok := s.shapes[name]
			return v, ok
		},
	}
}
