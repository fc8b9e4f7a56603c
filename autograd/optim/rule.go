package optim

import (
	"fmt"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
	"github.com/gradtui/gradtui/autograd/internal/schema"
)

// A rule declares an optimizer.
type rule struct {
	// sig is the signature of the constructor after the parameters, in the
	// notation of package schema. Its parameters are the settings of a group,
	// with the defaults of PyTorch.
	sig string
	// check returns an error for bad settings of the constructor. Settings of
	// single groups are not checked, as in PyTorch.
	check func(a *pycall.Args) error
	// order is the order of the settings in a group, if it differs from the
	// order of the signature.
	order []string
	// update updates the parameters of a group that have gradients.
	update func(o *Optimizer, g *Group, list []update) error

	schema *schema.Schema
}

// An update is a parameter and its gradient.
type update struct{ param, grad *autograd.Tensor }

// rules is the catalogue of optimizers, by name.
var rules = catalogue(sgd, adam, adamW)

func catalogue(list ...rule) map[string]*rule {
	all := map[string]*rule{}
	for _, r := range list {
		r.schema = schema.MustParse(r.sig + " -> Optimizer")
		if r.order == nil {
			for i := range r.schema.Params {
				r.order = append(r.order, r.schema.Params[i].Name)
			}
		}
		all[r.schema.Name] = &r
	}
	return all
}

// defaults binds the options of a constructor.
func (r *rule) defaults(opts []autograd.Option) ([]autograd.Option, error) {
	a, err := pycall.Bind(r.schema.Name+".__init__", r.schema, nil, opts)
	if err != nil {
		return nil, err
	}
	if err := r.check(a); err != nil {
		return nil, err
	}
	settings := make([]autograd.Option, len(r.order))
	for i, name := range r.order {
		settings[i] = autograd.Kw(name, a.Value(name))
		if err := r.possible(settings[i]); err != nil {
			return nil, err
		}
	}
	return settings, nil
}

// fit converts a setting to the form in which a group holds it. Settings that
// the optimizer does not know are kept unchanged.
func (r *rule) fit(o autograd.Option) (autograd.Option, error) {
	for i := range r.schema.Params {
		p := &r.schema.Params[i]
		if p.Name != o.Name {
			continue
		}
		v, ok := pycall.Convert(p, o.Value)
		if list, isList := v.([]float64); !ok || p.List && (!isList || len(list) != p.Size) {
			return o, raise(autograd.TypeError, "%s: setting '%s' must be %s, not %s", r.schema.Name, p.Name, p.TypeString(), pycall.TypeName(o.Value))
		}
		o.Value = v
	}
	return o, r.possible(o)
}

// possible returns an error for implementations that are not supported.
func (r *rule) possible(o autograd.Option) error {
	switch o.Name {
	case "foreach", "fused", "capturable", "differentiable":
		if o.Value == true {
			e := &autograd.Error{
				Type: autograd.NotImplementedError, Code: autograd.CodeUnsupported, Op: r.schema.Name,
				Text: fmt.Sprintf("%s: %s=True is not supported by this engine; leave it out", r.schema.Name, o.Name),
			}
			return autograd.Raise(e)
		}
	}
	return nil
}

// raise makes an error of this package and records it on the tape.
func raise(t autograd.ErrorType, format string, args ...any) error {
	return autograd.Raise(&autograd.Error{Type: t, Code: autograd.CodeOptimizer, Text: fmt.Sprintf(format, args...)})
}

// invalid returns the error for a number that is out of range.
func invalid(what string, a *pycall.Args, name string) error {
	return raise(autograd.ValueError, "Invalid %s: %s", what, pycall.Repr(a.Value(name)))
}
