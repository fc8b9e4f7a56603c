package autograd

import (
	"iter"
	"slices"
	"strings"
)

// Views as copies: view_copy is view without shared memory.

// copiedViews are the operators with a copying form, besides alias and
// diagonal.
var copiedViews = strings.Fields("as_strided detach expand permute select split split_with_sizes squeeze t transpose unbind unfold unsqueeze view")

// copiesOfOneDType are the operators whose copies refuse an out= tensor of
// another dtype.
var copiesOfOneDType = []string{"select", "t", "view"}

// viewCopies derives the entries from the entries of the views.
func viewCopies() (ops []Op) {
	for _, name := range copiedViews {
		for o := range overloads(name, coreOps, viewOps, permuteOps, partOps, splitOps) {
			if o.Forward == nil || o.Views == NoViews || strings.HasPrefix(o.Schema, "view.dtype") {
				continue
			}
			forward := o.Forward
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
			if slices.Contains(copiesOfOneDType, name) {
				c.OutDType = expectedOutDType
			}
			if o.Node != "" {
				c.Node = o.Node + "_copy"
			}
			ops = append(ops, c)
		}
	}
	return ops
}

// overloads returns the entries of an operator in some tables.
func overloads(name string, tables ...[]Op) iter.Seq[*Op] {
	return func(yield func(*Op) bool) {
		for _, table := range tables {
			for i := range table {
				rest, ok := strings.CutPrefix(table[i].Schema, name)
				if ok && (rest[0] == '(' || rest[0] == '.') && !yield(&table[i]) {
					return
				}
			}
		}
	}
}
