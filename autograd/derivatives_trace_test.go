package autograd

import (
	"fmt"
	"maps"
	"math"
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
	lists  map[string][]*Tensor // saved lists, and the list of all gradients
	zeros  map[string]bool      // by saved tensor: it has a zero
}

// called is called for each result of a kernel that a formula calls, which may be nil.
var called func(a *Args, result int, t *Tensor)

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
	if called != nil && err == nil {
		for i, t := range outs {
			called(a, i, t)
		}
	}
	tracer = s
	for i, t := range outs {
		if t != nil {
			s.alive = append(s.alive, t)
			c := s.restored(sized(&sketch{op: op.callName(), out: i, args: args}))
			s.terms[t] = s.written(lengthened(c, a, t), t, args)
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

// lengthened writes a view that only adds a last dimension, in a shape that comes from nowhere else, as what it is:
// unsqueeze(grad, dim=-1).
func lengthened(c *sketch, a *Args, out *Tensor) *sketch {
	if c.op != "view" || len(c.args[1].from) != 1 || !slices.Equal(out.sizes, append(slices.Clone(a.Self().sizes), 1)) {
		return c
	}
	return sized(&sketch{op: "unsqueeze", args: []sketchArg{c.args[0], {name: "dim", sketch: &sketch{from: []string{"-1"}, size: 1}}}})
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
			args = append(args, sketchArg{param: p.Name, number: "given", sketch: s.term(x)})
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
			args = append(args, sketchArg{param: p.Name, number: "None", sketch: none})
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
	if a := s.attrs[param]; a != nil && (same(param) || isWrapped(param, a, x, number, s.rank()) || isDefaultBound(param, a, x)) {
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
	for _, name := range names {
		if v.IsList() && len(v.Args) > 0 {
			others = append(others, changedList(name, s.attrs[name], text)...)
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

// isWrapped reports whether a dimension is the argument's, which counts from the end.
func isWrapped(param string, a *formula.Expr, x float64, number bool, rank int) bool {
	y, ok := a.Number()
	return ok && number && strings.HasPrefix(param, "dim") && y < 0 && y+float64(rank) == x
}

// isDefaultBound reports whether a bound of a slice is what None stands for.
func isDefaultBound(param string, a *formula.Expr, x float64) bool {
	return a.Leaf == "None" && (param == "start" && x == 0 || param == "end" && x == math.MaxInt64)
}

// rank is the number of dimensions of the first input.
func (s *sampleTrace) rank() int {
	name := s.op.schema.Params[s.op.inputs[0].param].Name
	if shape, ok := s.shapes[name]; ok {
		return len(shape)
	}
	return len(s.shapes[name+"[0]"])
}

// changedList returns how a list may follow from the list of an argument: reversed, negative, the other way round.
func changedList(name string, list *formula.Expr, text string) (from []string) {
	if !list.IsList() || list.String() == text {
		return nil
	}
	for _, form := range []string{"neg(%s)", "inverse(%s)", "reversed(%s)", "neg(reversed(%s))"} {
		e, err := formula.Parse(fmt.Sprintf(form, name))
		if err != nil {
			panic(err)
		}
		if e.In(formula.Env{Attr: func(string) (*formula.Expr, bool) { return list, true }}).String() == text {
			from = append(from, e.String())
		}
	}
	return from
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
			if n := numel(s.shapes[b]); a != b && n > 0 {
				reduced := float64(numel(s.shapes[a])) / float64(n)
				count := "div(numel(" + a + "), numel(" + b + "))"
				if near(reduced) {
					from = append(from, count)
				}
				if correction, y := s.correction(); correction != "" && near(2/(reduced-y)) {
					from = append(from, "div(2, sub("+count+", "+correction+"))")
				}
			}
		}
	}
	return from
}

// correction returns what a variance leaves out of the number of elements. It is empty for other operators.
func (s *sampleTrace) correction() (text string, value float64) {
	if a := s.attrs["correction"]; a != nil {
		value, _ = a.Number()
		return "correction", value
	}
	return "", 0
}

// tensors returns the names of tensors whose shapes are known, parameters first.
func (s *sampleTrace) tensors() []string {
	names := slices.DeleteFunc(slices.Collect(maps.Keys(s.shapes)), func(name string) bool { return strings.Contains(name, "[") })
	return slices.SortedFunc(slices.Values(names), func(a, b string) int {
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

// items is how many tensors a sample has in the list that its operator takes, 1 if it takes none.
func (s *opSample) items() int {
	for i, v := range s.values {
		if list, ok := v.([]*Tensor); ok && s.op.schema.Params[i].Type == schema.Tensor {
			return len(list)
		}
	}
	return 1
}

// place notes which tensor of a list the gradient is for, and where its part of what joins them begins and ends.
func (s *sampleTrace) place(list []*Tensor, item int) {
	number := func(n int) *formula.Expr { return formula.Number(float64(n)) }
	s.attrs[formula.Place] = number(item)
	dim, ok := 0, false
	if d := s.attrs["dim"]; d != nil {
		x, number := d.Number()
		dim, ok = int(x), number
	}
	at := 0
	for i := range item + 1 {
		d := dim
		if d < 0 {
			d += list[i].Dim()
		}
		if !ok || d < 0 || d >= list[i].Dim() {
			return
		}
		if i == item {
			s.attrs[formula.Start] = number(at)
		}
		at += list[i].sizes[d]
	}
	s.attrs[formula.End] = number(at)
}

// trace runs the formulas of a sample, of which an element may be zero: some formulas look at the elements. Of a list of
// inputs it traces the gradient of one item. It returns what each input's gradient is, by the names of inputs; nil if the
// sample cannot be called.
func trace(s *opSample, zero bool, item int) (*sampleTrace, map[string]*sketch) {
	o := s.op
	in := s.inputs()
	if zero {
		setZeros(in)
	}
	outs, err := s.call(o, o.Mutate != nil, in, s.changesSelf())
	if err != nil || len(outs) == 0 || outs[0].gradFn == nil || outs[0].gradFn.op != o {
		return nil, nil
	}
	n := outs[0].gradFn
	tr := &sampleTrace{op: o, terms: map[*Tensor]*sketch{}, attrs: map[string]*formula.Expr{}, shapes: map[string][]int{}, lists: map[string][]*Tensor{}, zeros: map[string]bool{}}
	var lists [][]*Tensor
	for i := range o.schema.Params {
		p := &o.schema.Params[i]
		v := s.values[i]
		switch t := v.(type) {
		case *Tensor:
			tr.shapes[p.Name] = t.sizes
		case []*Tensor:
			if p.Type != schema.Tensor {
				continue
			}
			lists = append(lists, t)
			for k, x := range t {
				if x == nil {
					continue
				}
				tr.shapes[fmt.Sprintf("%s[%d]", p.Name, k)] = x.sizes
			}
		default:
			if p.Type == schema.Tensor || p.Type == schema.Index {
				continue
			}
			if n.args != nil {
				tr.attrs[p.Name] = formula.Meant(p.Name, literal(p, &n.args.values[i]))
			}
		}
	}
	for _, list := range lists {
		tr.place(list, item)
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
	if strings.HasSuffix(o.schema.Returns[0], "[]") {
		tr.lists[formula.Grads] = c.grads
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
			tr.zeros[name] = anyZero(t)
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
			input := inputs[min(k, len(inputs)-1)]
			if s.isList(input) {
				k -= item // of one list
			} else {
				k -= slices.Index(inputs, input)
			}
			if k == 0 && t != nil && t.err == nil && c.Needs(input) {
				found[input] = tr.reduced(tr.term(t), t, input)
			}
		}
	}
	return tr, found
}

// setZeros makes an element of each input zero.
func setZeros(in []*Tensor) {
	for i, t := range in {
		if t.Numel() > 1 {
			t.setElement(t.at(i%t.Numel()), FloatScalar(0))
		}
	}
}

// anyZero reports whether an element of a tensor is zero.
func anyZero(t *Tensor) bool {
	for i := range t.Numel() {
		if t.element(t.at(i)).Float() == 0 {
			return true
		}
	}
	return false
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
	if len(sum.args) > 1 && len(sum.args[1].from) > 0 && strings.Contains(sum.args[1].from[0], "(") {
		return c // over dimensions that the formula names
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
