package documents

import "github.com/gradtui/gradtui/graph"

// Story is the document of gradtui explain.
type Story struct {
	Format       string         `json:"format"`         // always "gradtui-explain"
	Version      int            `json:"version"`        // of this schema: 1
	Tensor       graph.TensorID `json:"tensor"`         // its number
	Name         string         `json:"name,omitempty"` // the newest one
	DType        string         `json:"dtype"`          // "float32"
	Device       string         `json:"device"`         // "cpu", "cuda:0"
	Shape        []int          `json:"shape"`          // size of each dimension
	Leaf         bool           `json:"leaf"`           // as PyTorch's is_leaf
	RequiresGrad bool           `json:"requires_grad"`  // as PyTorch's attribute
	Changes      uint32         `json:"tensor_version"` // as PyTorch's _version
	Bytes        int64          `json:"bytes"`          // of its storage
	Graph        Use            `json:"graph"`          // what its grad_fn leads to
	Facts        []Fact         `json:"facts"`          // by topic
}

// Fact is one sentence about a tensor.
type Fact struct {
	Topic string `json:"topic"`          // "made", "leaf", "named", "changed", "used", "saved", "gradient", "zeroed", "path", "held" or "graph"
	Text  string `json:"text"`           // the rest of the sentence
	Count int    `json:"count"`          // how often it happened at that line
	Last  string `json:"last,omitempty"` // the text of the last time
	Place
	Event *graph.Pos `json:"event,omitempty"` // position on the tape
}
