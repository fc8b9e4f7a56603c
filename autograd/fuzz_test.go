package autograd_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	. "github.com/gradtui/gradtui/autograd"
)

// FuzzCalls calls everything that front ends can reach, mostly with wrong
// arguments. Every call must return a result or one of PyTorch's errors: no
// panic, no internal error, and no more memory than the limit.
func FuzzCalls(f *testing.F) {
	for _, seed := range [][]byte{
		{}, {1, 0}, {2, 0, 3, 1, 4}, {9, 9, 9, 9, 9, 9, 9, 9}, []byte("gradients flow backwards"),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		defer SetAllocationLimit(SetAllocationLimit(1 << 20))
		inFreshState(func() {
			g := &generator{choices: choices}
			g.values = []any{
				g.leaf(Ones([]int{2, 3})), g.leaf(Arange(4, WithDType(Float32))), Arange(6).Reshape([]int{3, 2}),
				New(1.5), New(true), Zeros([]int{0, 2}), New([]float64{1, math.NaN(), math.Inf(1)}, WithDType(Float64)),
			}
			for step := 0; len(g.choices) > 0 && step < 8; step++ {
				call, err := g.call()
				if e := (*Error)(nil); errors.As(err, &e) && e.Code == CodeInternal {
					t.Fatalf("%s %v\n%s", call, g.args, e.Text)
				}
			}
		})
	})
}

// generator makes calls from the bytes of the fuzzer.
type generator struct {
	choices []byte
	values  []any // results of earlier calls
	args    []any // of the last call
}

// choose returns a number below n. n is at most 65536.
func (g *generator) choose(n int) int {
	x := 0
	for m := n - 1; m > 0; m >>= 8 {
		x <<= 8
		if len(g.choices) > 0 {
			x |= int(g.choices[0])
			g.choices = g.choices[1:]
		}
	}
	return x % n
}

func (g *generator) leaf(t *Tensor) *Tensor { return t.RequiresGrad_(true) }

// call makes one call and keeps its results.
func (g *generator) call() (what string, err error) {
	var v any
	if g.choose(2) > 0 {
		o := visible[g.choose(len(visible))]
		name, params, _ := strings.Cut(o.Schema, "(")
		name, _, _ = strings.Cut(name, ".")
		args := g.fitting(params)
		g.args = args
		if o.In&Method != 0 && len(args) > 0 {
			v, err = CallAttr(args[0], name+[]string{"", "_"}[g.choose(2)], args[1:])
		} else {
			v, err = CallFunction(functionName(o, name), args)
		}
		if err == nil {
			g.keep(v)
		}
		return o.Schema, err
	}
	args, opts := g.list(4), g.options()
	g.args = args
	switch g.choose(8) {
	case 0: // the gradients of earlier results
		what = "backward"
		if t, ok := g.pick().(*Tensor); ok {
			_, err = CallAttr(t, "backward", args, opts...)
		}
	case 1, 2:
		name := methods[g.choose(len(methods))]
		what = "Tensor." + name
		v, err = CallAttr(g.pick(), name, args, opts...)
	case 3:
		name := attributes[g.choose(len(attributes))]
		what = name + " ="
		err = SetAttr(g.pick(), name, g.value(2))
		if got, failed := Attr(g.pick(), name); failed == nil {
			v = got
		}
	default:
		name := functions[g.choose(len(functions))]
		what = name
		v, err = CallFunction(name, args, opts...)
	}
	if err == nil {
		g.keep(v)
	}
	return what, err
}

// keep adds the tensors of a result to the values, unless they are views of too
// many elements to look at each.
func (g *generator) keep(v any) {
	switch x := v.(type) {
	case *Tensor:
		if x != nil && x.Numel() <= 1<<16 && len(g.values) < 40 {
			g.values = append(g.values, x)
		}
	case Tuple:
		for _, item := range x[:min(4, len(x))] {
			g.keep(item)
		}
	case NamedTuple:
		g.keep(x.Tuple)
	case []any:
		g.keep(Tuple(x))
	}
}

func (g *generator) pick() any { return g.values[g.choose(len(g.values))] }

func (g *generator) list(most int) []any {
	args := make([]any, g.choose(most+1))
	for i := range args {
		args[i] = g.value(2)
	}
	return args
}

func (g *generator) options() []Option {
	names := []string{"dim", "keepdim", "dtype", "alpha", "out", "reduction", "size", "memory_format", "nonsense"}
	var opts []Option
	for range max(0, g.choose(5)-2) {
		opts = append(opts, Kw(names[g.choose(len(names))], g.value(1)))
	}
	return opts
}

// value returns an argument. Lists are nested at most depth levels.
func (g *generator) value(depth int) any {
	kinds := 12
	if depth == 0 {
		kinds = 9
	}
	switch g.choose(kinds) {
	case 0, 1, 2:
		return g.pick()
	case 3, 4:
		return g.choose(7) - 2
	case 5:
		return []any{1 << 40, math.MaxInt64, math.MinInt64, 1 << 31, -1 << 31, 65536, 1000}[g.choose(7)]
	case 6:
		return []any{0.5, -1.0, 0.0, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, 1e-300}[g.choose(8)]
	case 7:
		return []any{nil, true, false, Ellipsis, Float32, Float64, Int64, Bool, Float16, uint64(math.MaxUint64)}[g.choose(10)]
	case 8:
		return []any{"mean", "sum", "none", "constant", "ij,jk->ik", "", "fro", "bilinear", "reflect", "\xff\x00%s"}[g.choose(10)]
	case 9:
		return g.items(depth)
	case 10:
		return Tuple(g.items(depth))
	default:
		return Slice{Start: g.value(0), Stop: g.value(0), Step: g.value(0)}
	}
}

func (g *generator) items(depth int) []any {
	items := make([]any, g.choose(4))
	for i := range items {
		items[i] = g.value(depth - 1)
	}
	return items
}

// fitting returns arguments that mostly have the types of a signature.
func (g *generator) fitting(params string) (args []any) {
	params, _, _ = strings.Cut(params, ") ->")
	for _, p := range strings.Split(params, ", ") {
		if p == "*" || strings.Contains(p, "=") && g.choose(2) == 0 {
			return args
		}
		args = append(args, g.fittingOne(strings.Fields(p + " ")[0]))
	}
	return args
}

func (g *generator) fittingOne(typ string) any {
	switch typ, list, _ := strings.Cut(strings.TrimSuffix(typ, "?"), "["); {
	case g.choose(16) == 0:
		return g.value(2)
	case typ == "Tensor" && list == "":
		return g.pick()
	case typ == "Tensor":
		return []any{g.pick(), g.pick()}
	case typ == "int" && list != "":
		return Tuple{g.choose(7) - 1, g.choose(4)}
	case typ == "int":
		return g.choose(7) - 2
	case typ == "bool":
		return g.choose(2) == 0
	case typ == "float" || typ == "Scalar":
		return []any{0.5, 2, -1.5, math.Inf(1), 0}[g.choose(5)]
	case typ == "ScalarType":
		return []any{Float32, Float64, Int64, Bool, UInt8}[g.choose(5)]
	case typ == "str":
		return []any{"mean", "sum", "none", "ij,jk->ik", "linear", "constant"}[g.choose(6)]
	}
	return g.value(2)
}

// visible are the operators that programs can call.
var visible = slices.DeleteFunc(Ops(), func(o *Op) bool { return o.In == Hidden })

// functionName returns the full name of an operator's Python function.
func functionName(o *Op, name string) string {
	for prefix, module := range map[string]string{"linalg_": "torch.linalg.", "special_": "torch.special.", "nn_functional_": "torch.nn.functional."} {
		if short, ok := strings.CutPrefix(name, prefix); ok {
			return module + short
		}
	}
	return "torch." + name
}

// functions, methods and attributes are the names that calls choose from.
var functions, methods = reachable()

var attributes = []string{
	"grad", "requires_grad", "data", "grad_fn", "is_leaf", "shape", "T", "mT", "real", "_version", "_base", "output_nr", "nothing",
}

func reachable() (functions, methods []string) {
	for _, o := range visible {
		name, _, _ := strings.Cut(o.Schema, "(")
		name, _, _ = strings.Cut(name, ".")
		methods = append(methods, name, name+"_")
		short := strings.TrimPrefix(name, "nn_functional_")
		functions = append(functions, "torch."+name, "torch.nn.functional."+short,
			"torch.linalg."+strings.TrimPrefix(name, "linalg_"), "torch.special."+strings.TrimPrefix(name, "special_"))
	}
	methods = append(methods, "requires_grad_", "register_hook", "size", "stride", "is_contiguous", "__format__", "__contains__",
		"__deepcopy__", "item", "__float__", "__int__", "__index__", "__bool__", "__len__", "__iter__", "__repr__", "__copy__",
		"tolist", "numpy", "detach_", "retain_grad", "dim", "numel", "type", "__getitem__", "__setitem__")
	functions = append(functions, "torch.tensor", "torch.manual_seed", "torch.promote_types", "torch.can_cast", "torch.result_type",
		"torch.nn.Parameter", "torch.autograd.backward", "torch.autograd.grad", "torch.copy.copy", "torch.Tensor", "torch.LongTensor")
	functions = slices.DeleteFunc(functions, func(name string) bool {
		module, short := name[:strings.LastIndexByte(name, '.')], name[strings.LastIndexByte(name, '.')+1:]
		prefixed := map[string]string{"torch.linalg": "linalg_", "torch.special": "special_", "torch.nn.functional": "nn_functional_"}[module]
		if prefixed == "" {
			return false
		}
		_, ok := Lookup(prefixed + short)
		return !ok
	})
	slices.Sort(functions)
	slices.Sort(methods)
	return slices.Compact(functions), slices.Compact(methods)
}
