package documents

import (
	"encoding/json"

	"github.com/gradtui/gradtui/graph"
)

// Graph is the whole document.
type Graph struct {
	Format   string   `json:"format"`          // always "gradtui-graph"
	Version  int      `json:"version"`         // of this schema: 1
	Tape     Tape     `json:"tape"`            // where the graph comes from
	Roots    []Root   `json:"roots"`           // what the graph leads to
	Passes   []Pass   `json:"backward_passes"` // all runs of backward() and autograd.grad() so far
	Modules  []Module `json:"modules"`         // the module calls that made the nodes, and the calls around them; outer ones first
	Tensors  []Tensor `json:"tensors"`         // those that the rest of the document mentions, in order of creation
	Nodes    []Node   `json:"nodes"`           // of the backward graph, in order of creation: each comes after those that its inputs lead to
	Complete bool     `json:"complete"`        // always true; a document that ends without it was cut off
}

// Tape is the tape and the position on it.
type Tape struct {
	Engine   string    `json:"engine,omitempty"`  // "builtin", "torch 2.6.0"
	Program  string    `json:"program,omitempty"` // the program's file or package
	Events   graph.Pos `json:"events"`            // on the tape
	Position graph.Pos `json:"position"`          // how many of them the graph includes
}

// Root is a tensor or node that the graph was asked for.
type Root struct {
	Tensor graph.TensorID `json:"tensor,omitempty"` // left out if the tape does not know the tensor
	Node   graph.NodeID   `json:"node,omitempty"`   // its grad_fn; left out if it has none
	Output uint32         `json:"output,omitempty"` // which result of the node it is
}

// Pass is one run of backward() or autograd.grad().
type Pass struct {
	ID          graph.BackwardID `json:"id"`                     // counts from 1
	Status      string           `json:"status"`                 // "running", "done" or "failed"
	Error       string           `json:"error,omitempty"`        // what it failed with
	FailedNode  graph.NodeID     `json:"failed_node,omitempty"`  // the node that it failed at
	RetainGraph bool             `json:"retain_graph,omitempty"` // retain_graph=True
	CreateGraph bool             `json:"create_graph,omitempty"` // create_graph=True
	GradOnly    bool             `json:"grad_only,omitempty"`    // autograd.grad(), which leaves .grad alone
	Roots       []Root           `json:"roots"`                  // what it starts from
	Inputs      []graph.TensorID `json:"inputs,omitempty"`       // the tensors that gradients were asked for; left out: all leaves
	Outer       graph.BackwardID `json:"outer,omitempty"`        // the pass that it interrupted
	Began       graph.Pos        `json:"began"`                  // the event it began with
}

// Module is one call of a module.
type Module struct {
	ID    graph.ModuleID `json:"id"`
	Path  string         `json:"path"`            // "encoder.layers.0"
	Type  string         `json:"type"`            // "Linear"
	Outer graph.ModuleID `json:"outer,omitempty"` // the call around it
}

// Tensor is a tensor.
type Tensor struct {
	ID           graph.TensorID `json:"id"`                     // pictures show tensor 12 as t12
	Name         string         `json:"name,omitempty"`         // what the program calls it
	DType        string         `json:"dtype"`                  // "float32"
	Device       string         `json:"device"`                 // "cpu", "cuda:0"
	Shape        []int          `json:"shape"`                  // size of each dimension
	Leaf         bool           `json:"leaf"`                   // it is not the result of a recorded op
	RequiresGrad bool           `json:"requires_grad"`          // as PyTorch's attribute
	Parameter    bool           `json:"parameter,omitempty"`    // it is a torch.nn.Parameter
	RetainsGrad  bool           `json:"retains_grad,omitempty"` // retain_grad() was called
	GradFn       graph.NodeID   `json:"grad_fn,omitempty"`      // the node; it may be outside this document
	OutputNr     uint32         `json:"output_nr,omitempty"`    // which result of that node it is
	Base         graph.TensorID `json:"base,omitempty"`         // the tensor that it is a view of
	Version      uint32         `json:"version"`                // of its memory; in-place ops move it
	Grad         graph.TensorID `json:"grad,omitempty"`         // its .grad
	Released     bool           `json:"released,omitempty"`     // the program has dropped it
	Created      graph.Pos      `json:"created"`                // the event that made it
	Source       *Source        `json:"source,omitempty"`       // the line that made it
}

// Node is a node of the backward graph.
type Node struct {
	ID       graph.NodeID     `json:"id"`                 // pictures show node 7 as n7
	Name     string           `json:"name"`               // "MulBackward0"
	Sequence *uint64          `json:"sequence,omitempty"` // the order of creation, which is the priority in backward; AccumulateGrad nodes have none
	Variable graph.TensorID   `json:"variable,omitempty"` // the leaf whose gradient an AccumulateGrad node accumulates
	Outputs  int              `json:"outputs"`            // results of the forward op
	Inputs   []*Edge          `json:"inputs"`             // next_functions: where the gradient of each input of the forward op goes; null: it needs none. The edges of a node inside another one may lead out of the document
	Results  []Result         `json:"results,omitempty"`  // what the results look like that no tensor of the document is, as within an op that others are composed of; a result of which nothing is known is left out
	Saved    []Saved          `json:"saved,omitempty"`    // the tensors that its formula needs
	Attrs    []Attr           `json:"attrs,omitempty"`    // the other values that its formula needs
	Inner    graph.NodeID     `json:"inner,omitempty"`    // the node inside a CopySlices node, which applies it to a part of the gradient
	Module   graph.ModuleID   `json:"module,omitempty"`   // the call that made it
	Status   string           `json:"status"`             // in the newest pass that involves it: "idle", "pending", "waiting", "ready", "done" or "failed"
	Backward graph.BackwardID `json:"backward,omitempty"` // that pass
	Waiting  int              `json:"waiting,omitempty"`  // gradients that it still waits for in that pass
	Runs     int              `json:"runs,omitempty"`     // how often it ran, over all passes
	Freed    bool             `json:"freed,omitempty"`    // its saved tensors were freed: it cannot run again
	FreedBy  graph.BackwardID `json:"freed_by,omitempty"` // the pass that freed them
	Released bool             `json:"released,omitempty"` // the node was destroyed
	Created  graph.Pos        `json:"created"`            // the event that made it
	Source   *Source          `json:"source,omitempty"`   // the line that made it
}

// Edge is where a gradient goes to.
type Edge struct {
	Node   graph.NodeID `json:"node"`
	Output uint32       `json:"output"` // which result of that node's forward op the gradient belongs to
}

// Result is what a result of a node looks like.
type Result struct {
	Output uint32 `json:"output"` // which result of the node's forward op it is
	DType  string `json:"dtype"`  // "float32"
	Shape  []int  `json:"shape"`  // size of each dimension
}

// Saved is a slot of what a node saves.
type Saved struct {
	Name     string         `json:"name"`               // "self", "result"
	Tensor   graph.TensorID `json:"tensor,omitempty"`   // left out: the slot is empty
	Version  uint32         `json:"version"`            // of the tensor when it was saved
	Current  uint32         `json:"current"`            // its version now
	Modified bool           `json:"modified,omitempty"` // the tensor was changed in place since: backward will fail
	Freed    bool           `json:"freed,omitempty"`    // by a backward pass
}

// Attr is a saved value that is not a tensor.
type Attr struct {
	Name  string          `json:"name"`  // "dim"
	Type  string          `json:"type"`  // "none", "bool", "int", "float", "text", "ints" or "floats"
	Value json.RawMessage `json:"value"` // a JSON value of that type; integers have up to 64 bits; floats that JSON cannot hold are "inf", "-inf" or "nan"
	Text  string          `json:"text"`  // the value as Python shows it
}

// Source is a place in the program.
type Source struct {
	File     string `json:"file"`
	Line     int    `json:"line,omitempty"`     // counts from 1; left out: unknown
	Function string `json:"function,omitempty"` // the function around it
}
