package export

// spread estimates how many rows of a layered drawing the arrows of a plan pass through on
// their way. The time of a layout depends on it: each such passage takes a place in its
// row, and Graphviz tries to untangle them all. A
// weight that all steps of a loop use costs a passage for each row below it.
//
// Units go into the row below the lowest of their inputs, and those with fewer
// inputs than uses are then moved down as far as their uses allow, which is
// what shortens the arrows.
func (p *plan) spread() int {
	var order []unit
	place := map[unit]int32{}
	for u := range p.units {
		place[u] = int32(len(order))
		order = append(order, u)
	}
	ends := make([][2]int32, 0, len(p.edges)) // from, to
	rows := make([]int32, len(order))
	balance := make([]int32, len(order)) // uses less inputs
	starts := make([]int32, len(order)+1)
	for to, u := range order {
		starts[to] = int32(len(ends))
		for _, l := range p.linksOf(u) {
			from := place[l.to]
			ends = append(ends, [2]int32{from, int32(to)})
			balance[from]++
			balance[to]--
			if int(from) < to { // groups can bring circles
				rows[to] = max(rows[to], rows[from]+1)
			}
		}
	}
	starts[len(order)] = int32(len(ends))
	lowest := make([]int32, len(order))
	for i := len(order) - 1; i >= 0; i-- {
		if balance[i] >= 0 && lowest[i] > 0 {
			rows[i] = max(rows[i], lowest[i]-1)
		}
		for _, e := range ends[starts[i]:starts[i+1]] {
			if from := e[0]; lowest[from] == 0 || rows[i] < lowest[from] {
				lowest[from] = rows[i]
			}
		}
	}
	sum := 0
	for _, e := range ends {
		between := int(rows[e[1]]-rows[e[0]]) - 1
		sum += max(between, -between-2)
	}
	return sum
}
