// Package replay calls the engine's operators with arguments as tapes have them: tensors in one list, other arguments
// in another one, with their names on tapes of the engine and often without them on tapes of PyTorch.
package replay

import (
	"errors"
	"slices"
	"strings"
	"sync"

	ag "github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/schema"
)

// An Arg is an argument that is not a tensor. Without a name it is positional.
type Arg struct {
	Name  string
	Value any // nil, bool, int, float64, string, []int, []float64
}

// A Call runs an operator with tensors in place of the ones it was bound with; nil stands for None.
type Call func(tensors []*ag.Tensor) ([]*ag.Tensor, error)

// Calls returns the ways to read a recorded call, likely ones first: an operator has several signatures, and a tape
// does not say which positional argument belongs to which parameter. The caller tells the right one by its
// results. present says for each tensor whether it is one, and not None.
func Calls(name string, present []bool, args []Arg) []Call {
	switch name {
	case "getitem":
		return items(present, args)
	case "index":
		return indexed(present)
	}
	if slices.Contains(recurrent, name) {
		return recur(name, present, args)
	}
	var calls []Call
	for _, s := range signatures()[strings.TrimSuffix(name, "_")] {
		for without := range s.optional() + 1 {
			for _, greedy := range []bool{false, true} {
				b := binder{sig: s, present: present, greedy: greedy, without: without}
				if b.bind(args) && !(greedy && !b.several) {
					calls = append(calls, b.call)
				}
			}
		}
	}
	return calls
}

// A signature is an overload of an operator, or its parameters under the name that PyTorch's own functions have.
type signature struct {
	operator string
	full     string // with the overload
	params   []schema.Param
	other    bool // PyTorch's: the engine has its parameters in another order
}

// optional is the number of tensors that a call may leave out.
func (s *signature) optional() (n int) {
	for i := range s.params {
		if s.params[i].Type == schema.Tensor && s.params[i].Optional && !s.params[i].List {
			n++
		}
	}
	return n
}

// others are names on tapes of PyTorch for operators that the engine has under another name, with the parameters in
// PyTorch's order.
var others = map[string]string{
	"linalg_vector_norm(Tensor self, int[1]? dim=None, bool keepdim=False) -> Tensor":                                                                                                       "frobenius_norm",
	"nn_functional_ctc_loss(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor":               "ctc_loss",
	"nn_functional_cross_entropy(Tensor input, Tensor target, Tensor? weight=None, int reduction=1, int ignore_index=-100, float label_smoothing=0.0) -> Tensor":                            "cross_entropy_loss",
	"nn_functional_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05) -> Tensor":                                                     "layer_norm",
	"nn_functional_embedding(Tensor weight, Tensor input, int? padding_idx=None) -> Tensor":                                                                                                 "embedding",
	"nn_functional_nll_loss(Tensor input, Tensor target, Tensor? weight=None, int reduction=1, int ignore_index=-100) -> Tensor":                                                            "nll_loss nll_loss_nd",
	"nn_functional_mse_loss(Tensor input, Tensor target, int reduction=1) -> Tensor":                                                                                                        "mse_loss",
	"nn_functional_l1_loss(Tensor input, Tensor target, int reduction=1) -> Tensor":                                                                                                         "l1_loss",
	"nn_functional_smooth_l1_loss(Tensor input, Tensor target, int reduction=1, float beta=1.0) -> Tensor":                                                                                  "smooth_l1_loss",
	"nn_functional_huber_loss(Tensor input, Tensor target, int reduction=1, float delta=1.0) -> Tensor":                                                                                     "huber_loss",
	"nn_functional_kl_div(Tensor input, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor":                                                                                "kl_div",
	"nn_functional_binary_cross_entropy(Tensor input, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor":                                                                       "binary_cross_entropy",
	"nn_functional_binary_cross_entropy_with_logits(Tensor input, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1) -> Tensor":                                  "binary_cross_entropy_with_logits",
	"nn_functional_scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None) -> Tensor": "scaled_dot_product_attention",
}

var signatures = sync.OnceValue(func() map[string][]signature {
	m := map[string][]signature{}
	for text, names := range others {
		if s, err := schema.Parse(text); err == nil {
			for name := range strings.FieldsSeq(names) {
				m[name] = append(m[name], signature{s.Name, s.Name, s.Params, true})
			}
		}
	}
	for _, op := range ag.Ops() {
		s, err := schema.Parse(op.Schema)
		if err != nil {
			continue
		}
		names := []string{s.Name}
		for _, prefix := range []string{"nn_functional_", "linalg_", "special_"} {
			if short, ok := strings.CutPrefix(s.Name, prefix); ok {
				names = append(names, short)
			}
		}
		for _, name := range append(names, strings.Fields(op.Aliases)...) {
			m[strings.TrimSuffix(name, "_")] = append(m[strings.TrimSuffix(name, "_")], signature{s.Name, s.Name + "." + s.Overload, s.Params, false})
		}
	}
	return m
})

var errNone = errors.New("the engine has no such operator")

// A binder gives a recorded call's arguments to the parameters of a signature.
type binder struct {
	sig     signature
	present []bool
	greedy  bool // a list of numbers takes all numbers that follow
	several bool // and there were several
	without int  // how many of the first optional tensors are left out
	args    []func(tensors []*ag.Tensor) any
	named   []Arg
	used    int // tensors that have a parameter
}

// unread are arguments that do not change which numbers come out, in double precision.
var unread = []string{"dtype", "device", "layout", "out", "memory_format", "pin_memory", "requires_grad", "dropout"}

func (b *binder) bind(args []Arg) bool {
	var positional []Arg
	named := map[string]any{}
	for _, a := range args {
		switch {
		case slices.Contains(unread, a.Name):
		case a.Name == "":
			positional = append(positional, a)
		default:
			named[a.Name] = a.Value
		}
	}
	for _, p := range b.sig.params {
		if v, ok := named[p.Name]; ok {
			delete(named, p.Name)
			b.give(&p, v)
			continue
		}
		if p.Type == schema.Tensor {
			if !b.tensor(&p, &positional) {
				return false
			}
			continue
		}
		if len(positional) == 0 || p.KwOnly || slices.Contains(unread, p.Name) {
			if !p.HasDefault && !p.Optional {
				return false
			}
			continue
		}
		v := positional[0].Value
		positional = positional[1:]
		if n, ok := v.(int); ok && p.List {
			ints := []int{n}
			for b.greedy && len(positional) > 0 {
				more, ok := positional[0].Value.(int)
				if !ok {
					break
				}
				ints, positional, b.several = append(ints, more), positional[1:], true
			}
			if len(ints) > 1 || p.Size == 0 {
				v = ints
			}
		}
		b.give(&p, v)
	}
	return b.used == len(b.present) && len(positional) == 0 && len(named) == 0
}

// give passes a value by the parameter's name.
func (b *binder) give(p *schema.Param, v any) {
	if n, ok := v.(int); ok && p.Name == "reduction" && p.Type == schema.Str || ok && p.Name == "reduction" && strings.HasPrefix(b.sig.operator, "nn_functional_") {
		if n >= 0 && n < len(reductions) {
			v = reductions[n]
		}
	}
	b.named = append(b.named, Arg{p.Name, v})
}

var reductions = []string{"none", "mean", "sum"}

// tensor gives the next tensors to a parameter.
func (b *binder) tensor(p *schema.Param, positional *[]Arg) bool {
	left := len(b.present) - b.used
	if p.Optional && !p.List && b.without > 0 {
		b.without--
		left = 0
	}
	if p.List {
		first := b.used
		n := left
		b.used = len(b.present)
		b.arg(p, func(tensors []*ag.Tensor) any { return slices.Clone(tensors[first : first+n]) })
		return n > 0 || p.HasDefault
	}
	if left == 0 {
		if p.Optional {
			if len(*positional) > 0 && (*positional)[0].Value == nil {
				*positional = (*positional)[1:]
			}
			b.arg(p, func([]*ag.Tensor) any { return nil })
			return true
		}
		if len(*positional) > 0 { // a number
			v := (*positional)[0].Value
			*positional = (*positional)[1:]
			b.arg(p, func([]*ag.Tensor) any { return v })
			return v != nil
		}
		return p.HasDefault
	}
	i := b.used
	b.used++
	b.arg(p, func(tensors []*ag.Tensor) any {
		if tensors[i] == nil {
			return nil
		}
		return tensors[i]
	})
	return true
}

func (b *binder) arg(p *schema.Param, value func([]*ag.Tensor) any) {
	name := p.Name
	b.args = append(b.args, func(tensors []*ag.Tensor) any { return Arg{name, value(tensors)} })
}

// call runs the operator. Everything but the first tensor goes by name, so that no order matters.
func (b *binder) call(tensors []*ag.Tensor) ([]*ag.Tensor, error) {
	op, ok := ag.Lookup(b.sig.operator)
	if !ok {
		if op, ok = ag.Lookup(b.sig.full); !ok {
			return nil, errNone
		}
	}
	values := map[string]any{}
	given := map[string]bool{}
	for _, f := range b.args {
		a := f(tensors).(Arg)
		values[a.Name], given[a.Name] = a.Value, true
	}
	for _, a := range b.named {
		values[a.Name], given[a.Name] = a.Value, true
	}
	var args []any
	var opts []ag.Option
	positional := true
	for i, p := range b.sig.params {
		positional = positional && !(i > 0 && b.sig.other)
		switch {
		case !given[p.Name]:
			positional = false
		case positional && !p.KwOnly:
			args = append(args, values[p.Name])
		case values[p.Name] != nil:
			opts = append(opts, ag.Kw(p.Name, values[p.Name]))
		}
	}
	return op.Call(args, opts...)
}
