package export

import "github.com/gradtui/gradtui/internal/arrange"

// collapse gives each module call at a level one box, which stands for the nodes
// made in it and in the calls inside. It reports whether the plan fits then.
func (f *folder) collapse(calls *arrange.Calls, level int) bool {
	if level == 0 {
		return false
	}
	up := calls.Ancestors(level)
	members := make([][]int32, len(calls.List))
	for i, n := range f.nodes {
		if call := calls.At(n.module); call >= 0 && up[call] >= 0 && n.leaf == 0 {
			members[up[call]] = append(members[up[call]], int32(i))
		}
	}
	for call, nodes := range members {
		if len(nodes) > 0 {
			f.merge(nodes, group{kind: FoldModules, module: calls.List[call].ID})
		}
	}
	f.settle()
	return f.fits()
}
