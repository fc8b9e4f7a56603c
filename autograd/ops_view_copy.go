package autograd

import (
	"slices"
	"strings"
)

// Views as copies: view_copy is view without shared memory.

func init() { register(viewCopies()) }

// copiedViews are the operators that have such a form, besides alias and diagonal.
var copiedViews = strings.Fields("as_strided detach expand permute select slice split split_with_sizes squeeze t transpose unbind unfold unsqueeze view")

// viewCopies derives the entries from those of the views, whose files come first.
func viewCopies() (ops []Op) {
	for _, name := range copiedViews {
		for _, o := range declare(name).ops {
			if o.Op.Forward == nil || o.Op.Views == NoViews || strings.HasPrefix(o.schema.Overload, "dtype") {
				continue
			}
			forward := o.Op.Forward
			c := Op{
				Schema: strings.Replace(o.Schema, name, name+"_copy", 1), In: Torch, Go: "-",
				JVP: o.JVP, Attrs: o.Attrs, VJP: slices.Clone(o.VJP),
				Forward: func(a *Args) ([]*Tensor, error) {
					outs, err := forward(a)
					for i, t := range outs {
						outs[i] = copied(t, t.dtype)
					}
					return outs, err
				},
			}
			if o.Node != "" {
				c.Node = o.Node + "_copy"
			}
			ops = append(ops, c)
		}
	}
	return ops
}
