package autograd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradtui/gradtui/autograd/internal/schema"
	"github.com/gradtui/gradtui/graph"
)

// An Op declares one overload of an operator: its signature, how its results
// are computed, what it saves and how it is differentiated. The families are in
// the files ops_*.go; families.go lists them. Everything else follows from the
// declaration: the in-place form, argument checks and error texts, the nodes of
// the backward graph, forward mode, the Go methods (methods_gen.go), the list
// of operators in docs/use/operators.md, and numerical gradient checks of first
// and second order.
type Op struct {
	// Schema is the signature in PyTorch's notation. A parameter called self is
	// the receiver of the method.
	Schema string

	// In says where Python programs find the operator. Zero means torch.name,
	// and also Tensor.name if the first parameter is self.
	In Place

	// Go is the name of the Go method or function. If it is empty, the name is
	// derived from the schema; "-" means none.
	Go string

	// Aliases are other names of the same operator, separated by spaces.
	Aliases string

	// Node is the class of the grad_fn. If it is empty, results never require
	// grad. If it is "NotImplemented", they do, but backward raises; the node
	// then has an edge for each argument that requires grad.
	Node string

	// InPlace says that there is an in-place form, name_. Its node is
	// InPlaceNode if that is set, otherwise Node.
	InPlace     bool
	InPlaceNode string

	// Views says that the results share the memory of the first tensor.
	Views Views

	// One of the following computes the results. Forward works on data only.
	// Mutate changes the first tensor in place, for operators that exist only
	// in place; forward mode also calls Forward if it is set. Compose calls
	// other operators, which record themselves.
	Forward func(a *Args) ([]*Tensor, error)
	Mutate  func(a *Args) error
	Compose func(a *Args) ([]*Tensor, error)

	// VJP has a formula for each differentiable input, in the order of the
	// signature.
	VJP []Formula

	// JVP computes the tangents in forward mode. It may be nil if there is no
	// VJP.
	JVP JVP

	// Constant names the results that never require grad, such as indices.
	Constant string

	// Attrs names the values that the node shows besides its tensors, in any
	// order: parameters, and facts about tensor parameters such as
	// self_sym_sizes. They print like PyTorch's _saved_ attributes.
	Attrs string

	// Cut is set if values pass through the operator but gradients, by design,
	// do not.
	Cut graph.CutReason

	// TakesNumbers says that Tensor parameters may be Python numbers, which are
	// wrapped as 0-d tensors (should_allow_numbers_as_tensors in
	// torch/csrc/utils/python_arg_parser.cpp).
	TakesNumbers bool

	// TakesRest says that the tensors of a list may be given one by one, as for
	// functions of torch/functional.py with a parameter *tensors.
	TakesRest bool

	// Certain says that the formulas of VJP never fail for arguments that
	// Forward accepts: they only compute with tensors of the same shapes.
	Certain bool

	// Predicted says what decides whether a call succeeds and which layout its
	// result has. A front end that knows this need not wait for the call. It
	// applies to overloads that return one tensor or a bool, and to the in-place
	// form.
	Predicted Prediction

	// Overlap says which memory may overlap when the operator writes in place.
	// Expanded is the warning for writing to an expanded tensor, or nil.
	Overlap  Overlap
	Expanded *ExpandedWarning

	// OutDType returns the error message for an out= tensor whose dtype differs
	// from the result's. If it is nil, the result is cast if possible.
	OutDType func(name string, want, got DType) string

	schema *schema.Schema
	self   int // index of the parameter that is the receiver of the method
	// positional is the number of parameters that may be given by position.
	positional int
	// keepsArgs says that a node needs arguments besides its saved tensors.
	keepsArgs bool
	tensors   []int  // parameters that are tensors or lists of tensors
	tensorSet uint64 // the same as a bit set
	fixed     []int  // tensor parameters without a derivative, in an operator with derivatives; not the ones that select elements
	inputs    []input
	slots     []slot
	// plainSlots holds the names of the slots if none of them holds a list.
	plainSlots []string
	attrs      []attr
	constant   uint8  // bit set of results
	factual    uint32 // bit set of tensor parameters that attributes describe
	names      opNames
	// defaults holds what nodes keep of the arguments of calls that give only
	// tensors; the second is for in-place calls.
	defaults [2]*Args
}

// Place says where a Python program finds an operator.
type Place uint8

// The places.
const (
	Torch      Place = 1 << iota // torch.name
	Method                       // Tensor.name
	Functional                   // torch.nn.functional.name
	Linalg                       // torch.linalg.name
	Special                      // torch.special.name
	Property                     // Tensor.name, without parentheses
	Hidden                       // not reachable by programs; used by other operators
)

// Views says whether the results of an operator are views.
type Views uint8

// The possibilities.
const (
	NoViews   Views = iota
	OneView         // the result is a view
	MultiView       // the results are several views of one tensor
)

// A Prediction says what decides the outcome of a call besides the layouts of
// its tensors (dtypes, sizes and strides).
type Prediction uint8

// The possibilities.
const (
	NotPredicted Prediction = iota // elements of tensors, the graph, or anything else
	ByValues                       // the values of the other arguments
	ByTypes                        // in calls with two arguments, the types if all numbers are floats; otherwise the values
	ByFloatTypes                   // the same if the result is floating point; an integer in a tensor may be an error
)

// A Formula computes the gradient of one input, or of several at once, from the
// gradients of the results.
type Formula struct {
	// Input names the parameter; several are separated by spaces.
	Input string
	// Uses names the values that the formula reads from the forward pass:
	// tensor parameters, or results by their names (result, or result0,
	// result1 …, or as in the schema). The node saves them.
	Uses string
	// Of computes the gradient of a single input.
	Of func(c *Ctx) *Tensor
	// All computes the gradients of several inputs, or of a list of tensors, in
	// order.
	All func(c *Ctx) []*Tensor

	// edge is the index of the input's edge; -1 if it depends on the call.
	edge int
}

// notImplemented is the Node of operators whose derivative PyTorch does not
// implement.
const notImplemented = "NotImplemented"

// input is a differentiable parameter.
type input struct {
	param   int
	formula int // index in VJP, or -1
	within  int // index among the formula's inputs
}

// slot is a value that the node saves.
type slot struct {
	name   string
	param  int // parameter, or -1
	result int // result, or -1
	// guard is the only differentiable parameter whose formula uses the slot.
	// The slot is filled only if that parameter requires grad; -1 means always.
	guard int
	list  bool
}

// attr is a value that the node shows as an attribute.
type attr struct {
	name  string
	param int
	fact  string // "", or the shown property of a tensor: sizes, strides, numel ...
}

// prepare resolves the names in a declaration. A mistake in the table panics.
func (o *Op) prepare() {
	o.schema = schema.MustParse(o.Schema)
	bad := func(format string, args ...any) {
		panic(fmt.Sprintf("autograd: op %s: %s", o.Schema, fmt.Sprintf(format, args...)))
	}
	for i, p := range o.schema.Params {
		if p.Type == schema.Tensor {
			o.tensors = append(o.tensors, i)
			o.tensorSet |= 1 << i
		}
	}
	if o.In == 0 {
		o.In = Torch
		if len(o.schema.Params) > 0 && o.schema.Params[0].Name == "self" && o.schema.Params[0].Type == schema.Tensor {
			o.In |= Method
		}
	}
	o.self = max(o.param("self"), 0)
	for _, p := range o.schema.Params {
		if !p.KwOnly {
			o.positional++
		}
	}
	o.prepareInputs(bad)
	for _, p := range o.tensors {
		if len(o.VJP) > 0 && !o.differentiable(p) && !selects[o.schema.Params[p].Name] {
			o.fixed = append(o.fixed, p)
		}
	}
	o.prepareSlots(bad)
	o.namePlainSlots()
	for _, name := range strings.Fields(o.Attrs) {
		at := o.parseAttr(name, bad)
		if at.fact != "" {
			o.factual |= 1 << at.param
		}
		o.attrs = append(o.attrs, at)
	}
	o.keepsArgs = o.factual != 0 || o.Node == notImplemented || len(o.tensors) < len(o.schema.Params)
	for _, name := range strings.Fields(o.Constant) {
		i := o.result(name)
		if i < 0 {
			bad("no result %s", name)
		}
		o.constant |= 1 << i
	}
}

func (o *Op) prepareInputs(bad func(string, ...any)) {
	if o.Node == notImplemented {
		for _, p := range o.tensors {
			o.inputs = append(o.inputs, input{param: p, formula: -1})
		}
	}
	// PyTorch evaluates the formulas in the order of these names, which decides
	// the order of the nodes of a second backward.
	slices.SortStableFunc(o.VJP, func(a, b Formula) int { return strings.Compare(a.Input, b.Input) })
	for f, formula := range o.VJP {
		for i, name := range strings.Fields(formula.Input) {
			p := o.param(name)
			if p < 0 {
				bad("no parameter %s", name)
			}
			o.inputs = append(o.inputs, input{param: p, formula: f, within: i})
		}
	}
	// Edges follow the order of the signature.
	slices.SortStableFunc(o.inputs, func(a, b input) int { return a.param - b.param })
	lists := slices.ContainsFunc(o.inputs, func(in input) bool { return o.schema.Params[in.param].List })
	for f := range o.VJP {
		o.VJP[f].edge = -1
		if !lists && o.VJP[f].Of != nil {
			o.VJP[f].edge = slices.IndexFunc(o.inputs, func(in input) bool { return in.formula == f })
		}
	}
}

func (o *Op) prepareSlots(bad func(string, ...any)) {
	users := map[string][]int{} // formulas by what they use
	var order []string
	for f, formula := range o.VJP {
		for _, name := range strings.Fields(formula.Uses) {
			if len(users[name]) == 0 {
				order = append(order, name)
			}
			users[name] = append(users[name], f)
		}
	}
	for _, name := range order {
		s := slot{name: name, param: o.param(name), result: -1, guard: -1}
		if s.param < 0 {
			if s.result = o.result(name); s.result < 0 {
				bad("no parameter or result %s", name)
			}
		} else {
			s.list = o.schema.Params[s.param].List || o.schema.Params[s.param].Type == schema.Index
		}
		if by := users[name]; s.param >= 0 && len(by) == 1 && len(o.inputs) > 1 && o.VJP[by[0]].All == nil {
			s.guard = o.param(o.VJP[by[0]].Input)
		}
		o.slots = append(o.slots, s)
	}
	// Inputs are saved before the results exist. The rest of the order follows
	// the names.
	slices.SortStableFunc(o.slots, func(a, b slot) int {
		if (a.result < 0) != (b.result < 0) {
			if a.result < 0 {
				return -1
			}
			return 1
		}
		return strings.Compare(a.name, b.name)
	})
}

func (o *Op) namePlainSlots() {
	names := make([]string, len(o.slots))
	for i, s := range o.slots {
		if s.list {
			return
		}
		names[i] = s.name
	}
	o.plainSlots = names
}

// tensorFacts are the suffixes of attributes that describe a tensor parameter.
var tensorFacts = []string{
	"_dim", "_sym_sizes_opt", "_sym_sizes", "_sym_strides", "_sym_numel", "_scalar_type",
	"_sym_argsize_0", "_sym_argsize_1", "_sym_argsize_2", "_sym_argsize_minus_1", "_sym_argsize_minus_2",
}

func (o *Op) parseAttr(name string, bad func(string, ...any)) attr {
	if p := o.param(name); p >= 0 {
		return attr{name: name, param: p}
	}
	for _, fact := range tensorFacts {
		if param, ok := strings.CutSuffix(name, fact); ok {
			if p := o.param(param); p >= 0 {
				return attr{name: name, param: p, fact: fact}
			}
		}
	}
	bad("no attribute %s", name)
	return attr{}
}

// param returns the index of a parameter, or -1.
func (o *Op) param(name string) int {
	for i := range o.schema.Params {
		if o.schema.Params[i].Name == name {
			return i
		}
	}
	return -1
}

// result returns the index of a result by one of its names, or -1: result,
// result0, or the field of the named tuple.
func (o *Op) result(name string) int {
	if i := slices.Index(o.schema.Fields, name); i >= 0 {
		return i
	}
	n, ok := strings.CutPrefix(name, "result")
	switch {
	case !ok:
		return -1
	case n == "":
		return 0
	}
	for i := range o.schema.Returns {
		if n == itoa(i) {
			return i
		}
	}
	return -1
}

// needed reports whether slot s has to be filled in a call with arguments a.
func (s *slot) needed(a *Args) bool {
	return s.guard < 0 || a.needsGrad(s.guard)
}

// An Operator is a name with all overloads of that name.
type Operator struct {
	name    string
	ops     []overload
	numbers bool // Tensor parameters take Python numbers too
}

type overload struct {
	*Op
	inPlace bool
}

// Name returns the name of the operator: "add", "add_".
func (op *Operator) Name() string { return op.name }

var operators = map[string]*Operator{}

// declare returns the operator with the given name and makes it if need be; the
// generated methods refer to it before the table is loaded.
func declare(name string) *Operator {
	op := operators[name]
	if op == nil {
		op = &Operator{name: name}
		operators[name] = op
	}
	return op
}

// register adds a family of operators to the table.
func register(family []Op) {
	for i := range family {
		o := &family[i]
		o.prepare()
		for _, name := range append([]string{o.callName()}, strings.Fields(o.Aliases)...) {
			op := declare(name)
			op.add(overload{o, o.Mutate != nil})
			if o.InPlace {
				op := declare(inPlaceName(name))
				op.add(overload{o.inPlaceForm(), true})
			}
		}
		table = append(table, o)
	}
}

// add inserts an overload before the overloads that PyTorch tries later.
func (op *Operator) add(o overload) {
	at := slices.IndexFunc(op.ops, func(other overload) bool { return triedBefore(o.schema, other.schema) })
	if at < 0 {
		at = len(op.ops)
	}
	op.ops = slices.Insert(op.ops, at, o)
	op.numbers = op.numbers || o.TakesNumbers
}

// triedBefore reports whether PyTorch tries overload a before b because of the
// types of their parameters: a 0-d tensor would also match a number
// (sort_overloads in tools/autograd/gen_python_functions.py).
func triedBefore(a, b *schema.Schema) bool {
	if len(a.Params) != len(b.Params) {
		return false
	}
	before := false
	for i := range a.Params {
		p, q := &a.Params[i], &b.Params[i]
		switch {
		case p.Type == q.Type && p.List == q.List:
		case p.Type == schema.Tensor && !p.List && !q.List && (q.Type == schema.Scalar || q.Type == schema.Int),
			p.Type == schema.Int && !p.List && q.Type == schema.Int && q.List,
			p.List && q.List && q.Type == schema.Tensor:
			before = true
		default:
			return false
		}
	}
	return before
}

// callName returns the name by which the operator is called. Overloads that
// only the engine uses are kept apart from overloads that programs can reach:
// they are called by their full name, mul.Scalar.
func (o *Op) callName() string {
	if o.In == Hidden && o.schema.Overload != "" {
		return o.schema.Name + "." + o.schema.Overload
	}
	return o.schema.Name
}

// formName returns the name of the operator, or of its in-place form, in messages
// about its derivative.
func (o *Op) formName(inPlace bool) string {
	if inPlace && o.InPlace {
		return o.schema.Name + "_"
	}
	return o.schema.Name
}

// inPlaceName returns the name of the in-place form: add_, __iadd__.
func inPlaceName(name string) string {
	if operator, ok := strings.CutPrefix(name, "__"); ok {
		return "__i" + operator
	}
	return name + "_"
}

// inPlaceForm returns the op for its in-place form. The class of the node may
// differ. If only the in-place form has a node, as with comparisons, its result
// does not depend smoothly on anything: gradients and tangents are zero.
func (o *Op) inPlaceForm() *Op {
	if o.InPlaceNode == "" {
		return o
	}
	form := *o
	form.Node = o.InPlaceNode
	if o.Node == "" {
		form = Op{Schema: o.Schema, In: o.In, Node: o.InPlaceNode, Forward: o.Forward, JVP: noTangent, OutDType: o.OutDType, Predicted: o.Predicted}
		for _, p := range o.tensors {
			name := o.schema.Params[p].Name
			form.VJP = append(form.VJP, Formula{Input: name, Of: func(c *Ctx) *Tensor { return alloc(c.DTypeOf(name), c.Shape(name)) }})
		}
		form.prepare()
	}
	return &form
}

// in reports whether programs find an overload of the operator at a place.
func (op *Operator) in(p Place) bool {
	for _, o := range op.ops {
		if o.In&p != 0 {
			return true
		}
	}
	return false
}

var table []*Op

// Lookup finds an operator by name; an in-place form ends with an underscore.
func Lookup(name string) (*Operator, bool) {
	op, ok := operators[name]
	return op, ok && len(op.ops) > 0
}

// takesNumbers reports whether an operator accepts Python numbers for its
// tensors.
func takesNumbers(name string) bool {
	op, ok := Lookup(name)
	return ok && op.numbers
}

// Ops returns the table of all operators, with one entry for each overload.
func Ops() []*Op { return slices.Clone(table) }

// selects holds the names of parameters whose tensors select elements.
// Operators refuse a wrong dtype for them, and with it every tensor that
// requires grad.
var selects = map[string]bool{"condition": true, "index": true, "indices": true, "mask": true}
