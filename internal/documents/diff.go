package documents

// Diff is the document of gradtui diff.
type Diff struct {
	Format  string       `json:"format"`  // always "gradtui-diff"
	Version int          `json:"version"` // of this schema: 1
	A       string       `json:"a"`       // as it was given
	B       string       `json:"b"`       // as it was given
	Same    bool         `json:"same"`    // nothing differs
	Totals  []Total      `json:"totals"`  // also those that do not differ
	Nodes   []NodeDiff   `json:"nodes"`   // kinds of nodes of which one has more
	Edges   []EdgeDiff   `json:"edges"`   // kinds of edges of which one has more, between nodes that both have
	Tensors []TensorDiff `json:"tensors"` // that differ in more than their values
	Values  []ValueDiff  `json:"values"`  // that differ, in the order in which A made them
}

// Total is a number that both have.
type Total struct {
	What string `json:"what"` // "ops", "nodes", "edges", "changes in place", "backward passes", "nodes alive", "bytes made" or "bytes in use"
	A    int64  `json:"a"`    // in A
	B    int64  `json:"b"`    // in B
}

// NodeDiff is a kind of nodes: those with one name that came from one line.
type NodeDiff struct {
	Place
	Name string `json:"name"` // "MulBackward0"
	A    int    `json:"a"`    // how many the graph of A has
	B    int    `json:"b"`    // how many the graph of B has
}

// EdgeDiff is a kind of edges, between nodes that both have.
type EdgeDiff struct {
	Place
	From  string `json:"from"`  // the name of the node, which the place made
	Input int    `json:"input"` // index in next_functions
	To    string `json:"to"`    // where it leads to
	A     int    `json:"a"`     // how many A made
	B     int    `json:"b"`     // how many B made
}

// TensorDiff is a tensor that differs.
type TensorDiff struct {
	Name  string       `json:"name"`  // in both
	Facts []TensorFact `json:"facts"` // that differ
}

// TensorFact is what differs of a tensor.
type TensorFact struct {
	What string `json:"what"` // "tensor", "requires_grad", "grad_fn", "changes in place" or "grad"
	A    string `json:"a"`    // in A
	B    string `json:"b"`    // in B
}

// ValueDiff is a tensor, or its gradient, whose values differ.
type ValueDiff struct {
	Name     string   `json:"name"`               // of the tensor, in both
	What     string   `json:"what"`               // "value" or "grad"
	A        string   `json:"a"`                  // in A
	B        string   `json:"b"`                  // in B
	Relative *float64 `json:"relative,omitempty"` // the norm of the difference, divided by the norm of A; left out: unknown, or A is zero
	AtLeast  bool     `json:"at_least,omitempty"` // not all elements were recorded: the difference is as large or larger
}
