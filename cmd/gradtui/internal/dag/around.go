package dag

import "slices"

// Around returns the rows that are at most hops links away from one, in either direction,
// in order. Of more than most rows it returns the nearest ones.
func (v *View) Around(row, hops, most int) []int {
	if !v.has(row) || most < 1 {
		return nil
	}
	found := []int{row}
	seen := map[int]bool{row: true}
	visit := func(r int) {
		if !seen[r] && len(found) < most {
			seen[r] = true
			found = append(found, r)
		}
	}
	for begin := 0; hops > 0 && begin < len(found); hops-- {
		end := len(found)
		for _, r := range found[begin:end] {
			for _, to := range v.linksOf(r) {
				visit(int(to))
			}
			for _, from := range v.backsOf(r) {
				visit(int(from))
			}
		}
		begin = end
	}
	slices.Sort(found)
	return found
}
