package arrange

// chains finds nodes in a row that lie directly in the same group. A row is nodes with one
// input and one user each, each the input of the next one. In a repetition there is no need
// for any: what hides chains hides it as a whole.
func (b *builder) chains() {
	users, inputs := b.soles()
	inner := func(i, around int32) bool {
		return !b.Leaf(int(i)) && b.in[i] == around && users[i] >= 0 && inputs[i] >= 0
	}
	var row []int32
	for i := range int32(b.n) {
		around := b.in[i]
		if around != None && b.groups[around].Kind != ModuleCall {
			continue
		}
		if row = row[:0]; inner(i, around) {
			row = append(row, i)
			for at := users[i]; inner(at, around); at = users[at] {
				row = append(row, at)
			}
			for at := inputs[i]; inner(at, around); at = inputs[at] {
				row = append(row, at)
			}
		}
		if len(row) < 2 {
			continue
		}
		g := b.add(Group{Kind: Chain, Parent: around, Each: len(row)})
		for _, at := range row {
			b.in[at] = g
		}
	}
}

// soles returns the only user of each node, and its only input; less than 0: it has none,
// or several.
func (b *builder) soles() (users, inputs []int32) {
	const several = None - 1
	only := func(node *int32, n int32) {
		if *node == None || *node == n {
			*node = n
		} else {
			*node = several
		}
	}
	users, inputs = make([]int32, b.n), make([]int32, b.n)
	for i := range b.n {
		users[i], inputs[i] = None, None
	}
	for i := range b.n {
		for _, to := range b.Next(i) {
			only(&users[to], int32(i))
			only(&inputs[i], to)
		}
	}
	for _, i := range b.opts.Roots {
		users[i] = several
	}
	return users, inputs
}
