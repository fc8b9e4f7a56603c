package dag

import (
	"fmt"
	"maps"

	"github.com/gradtui/gradtui/internal/arrange"
)

// Folds say which groups are folded, by names that other runs of the program give them as well: what a
// group is, the path of its module, which of the groups like it in the group around it.
type Folds map[string]bool

// foldedViews stands for the nodes that [View.FoldViews] leaves out. No group has this name.
const foldedViews = "views"

// kindNames are the kinds of groups in names.
var kindNames = map[arrange.Kind]string{arrange.ModuleCall: "module", arrange.Repetition: "times", arrange.Step: "step", arrange.Chain: "chain"}

// groupNames returns the names of the groups, in order.
func (v *View) groupNames() []string {
	names, count := make([]string, len(v.groups)), map[string]int{}
	for i := range v.groups {
		g := &v.groups[i]
		name := kindNames[g.Kind]
		if m, ok := v.Graph().Module(g.Module); ok {
			name += " " + m.Path
		}
		if g.Parent >= 0 {
			name = names[g.Parent] + " / " + name
		}
		if count[name]++; count[name] > 1 {
			name = fmt.Sprintf("%s #%d", name, count[name])
		}
		names[i] = name
	}
	return names
}

// Folds returns which groups are folded.
func (v *View) Folds() Folds {
	folds := Folds{}
	for i, name := range v.groupNames() {
		folds[name] = v.meant(i)
	}
	folds[foldedViews] = v.views.on
	return folds
}

// Apply folds and unfolds the groups that are named; the others stay as they are.
func (v *View) Apply(folds Folds) {
	if len(folds) == 0 {
		return
	}
	for i, name := range v.groupNames() {
		if f, ok := folds[name]; ok {
			v.folded[i] = f
		}
	}
	if on, ok := folds[foldedViews]; ok && on != v.views.on {
		v.views.on = on
		v.hide()
	}
	v.arrange()
}

// With returns the folds, with others in addition, which win.
func (f Folds) With(others Folds) Folds {
	all := maps.Clone(f)
	if all == nil {
		all = Folds{}
	}
	maps.Copy(all, others)
	return all
}
