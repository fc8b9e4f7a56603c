package main

import "github.com/gradtui/gradtui/graph"

// What stat, explain and diff write with --format json. docs/reading-commands.md is
// made of these types and their comments.

// jsonStat is the document of gradtui stat.
type jsonStat struct {
	Format     string          `json:"format"`            // always "gradtui-stat"
	Version    int             `json:"version"`           // of this schema: 1
	Program    string          `json:"program,omitempty"` // the program's file or package
	Engine     string          `json:"engine,omitempty"`  // "builtin"
	Stopped    string          `json:"stopped,omitempty"` // why the recording ended before the program
	Total      jsonLine        `json:"total"`             // of the whole program
	Peak       *jsonPeak       `json:"peak,omitempty"`    // when most bytes were in use
	Devices    []jsonDevice    `json:"devices,omitempty"` // left out: all memory was on one device
	Growth     *jsonGrowth     `json:"growth,omitempty"`  // left out: what is in use does not grow steadily
	Lines      []jsonLine      `json:"lines"`             // those that keep most first
	Iterations []jsonIteration `json:"iterations"`        // the turns of the main loop
	Against    []jsonPair      `json:"against,omitempty"` // with --against: the lines of both runs
}

// jsonLine is what a line did.
type jsonLine struct {
	jsonPlace
	Events  int     `json:"events"`     // on the tape
	Ops     int     `json:"ops"`        // operations that ran
	Nodes   int     `json:"nodes"`      // nodes of the backward graph that it made
	Seconds float64 `json:"seconds"`    // until the events of other lines
	Made    int64   `json:"made_bytes"` // of the storages that it made
	End     jsonUse `json:"end"`        // what of that is in use in the end
	Peak    jsonUse `json:"peak"`       // what of that was in use at the peak of the program
}

// jsonUse is memory in use.
type jsonUse struct {
	Nodes int   `json:"nodes"`       // that are alive
	Bytes int64 `json:"bytes"`       // of storages that are alive
	Graph int64 `json:"graph_bytes"` // of those that only the graph keeps alive
}

// jsonPeak is the moment when most bytes were in use.
type jsonPeak struct {
	jsonUse
	jsonPlace
	Event     graph.Pos `json:"event"`               // position on the tape
	Iteration int       `json:"iteration,omitempty"` // the number of the iteration
}

// jsonDevice is memory in use on one device.
type jsonDevice struct {
	Device string        `json:"device"` // "cpu", "cuda:0"
	End    jsonDeviceUse `json:"end"`    // what is in use in the end
	Peak   jsonDeviceUse `json:"peak"`   // what was in use at the peak of the program
}

// jsonDeviceUse is memory in use on a device.
type jsonDeviceUse struct {
	Bytes int64 `json:"bytes"`       // of storages that are alive
	Graph int64 `json:"graph_bytes"` // of those that only the graph keeps alive
}

// jsonGrowth is what is in use more after each iteration.
type jsonGrowth struct {
	jsonRate
	From  int              `json:"from"`  // the first iteration that was compared
	To    int              `json:"to"`    // the last one
	Lines []jsonGrowthLine `json:"lines"` // that made what stays, fastest first
}

// jsonGrowthLine is a line whose results stay in use.
type jsonGrowthLine struct {
	jsonPlace
	jsonRate
}

// jsonRate is what one iteration adds on average.
type jsonRate struct {
	Nodes float64 `json:"nodes"` // 0: not steadily
	Bytes float64 `json:"bytes"` // 0: not steadily
}

// jsonIteration is one turn of the main loop.
type jsonIteration struct {
	Number  int       `json:"number"`     // counts from 1
	From    graph.Pos `json:"from"`       // its first event
	To      graph.Pos `json:"to"`         // the event after its last one
	Ops     int       `json:"ops"`        // operations that ran
	Nodes   int       `json:"nodes"`      // that were made
	Seconds float64   `json:"seconds"`    // that it took
	Made    int64     `json:"made_bytes"` // of tensors that were made
	After   jsonUse   `json:"after"`      // what was in use when it had ended
}

// jsonPair is a line in two runs.
type jsonPair struct {
	jsonPlace
	A jsonLine `json:"a"` // in the run that stat is about
	B jsonLine `json:"b"` // in the other one
}

// jsonStory is the document of gradtui explain.
type jsonStory struct {
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
	Graph        jsonUse        `json:"graph"`          // what its grad_fn leads to
	Facts        []jsonFact     `json:"facts"`          // by topic
}

// jsonFact is one sentence about a tensor.
type jsonFact struct {
	Topic string `json:"topic"`          // "made", "leaf", "named", "changed", "used", "saved", "gradient", "zeroed", "path", "held" or "graph"
	Text  string `json:"text"`           // the rest of the sentence
	Count int    `json:"count"`          // how often it happened at that line
	Last  string `json:"last,omitempty"` // the text of the last time
	jsonPlace
	Event *graph.Pos `json:"event,omitempty"` // position on the tape
}

// jsonDiff is the document of gradtui diff.
type jsonDiff struct {
	Format  string           `json:"format"`  // always "gradtui-diff"
	Version int              `json:"version"` // of this schema: 1
	A       string           `json:"a"`       // as it was given
	B       string           `json:"b"`       // as it was given
	Same    bool             `json:"same"`    // nothing differs
	Totals  []jsonTotal      `json:"totals"`  // also those that do not differ
	Nodes   []jsonNodeDiff   `json:"nodes"`   // kinds of nodes of which one has more
	Edges   []jsonEdgeDiff   `json:"edges"`   // kinds of edges of which one has more, between nodes that both have
	Tensors []jsonTensorDiff `json:"tensors"` // that differ
}

// jsonTotal is a number that both have.
type jsonTotal struct {
	What string `json:"what"` // "ops", "nodes", "edges", "changes in place", "backward passes", "nodes alive", "bytes made" or "bytes in use"
	A    int64  `json:"a"`    // in A
	B    int64  `json:"b"`    // in B
}

// jsonNodeDiff is a kind of nodes: those with one name that came from one line.
type jsonNodeDiff struct {
	jsonPlace
	Name string `json:"name"` // "MulBackward0"
	A    int    `json:"a"`    // how many A made
	B    int    `json:"b"`    // how many B made
}

// jsonEdgeDiff is a kind of edges.
type jsonEdgeDiff struct {
	jsonPlace
	From  string `json:"from"`  // the name of the node, which the place made
	Input int    `json:"input"` // index in next_functions
	To    string `json:"to"`    // where it leads to
	A     int    `json:"a"`     // how many A made
	B     int    `json:"b"`     // how many B made
}

// jsonTensorDiff is a tensor that differs.
type jsonTensorDiff struct {
	Name  string           `json:"name"`  // in both
	Facts []jsonTensorFact `json:"facts"` // that differ
}

// jsonTensorFact is what differs of a tensor.
type jsonTensorFact struct {
	What string `json:"what"` // "tensor", "requires_grad", "grad_fn", "changes in place" or "grad"
	A    string `json:"a"`    // in A
	B    string `json:"b"`    // in B
}

// jsonRanks is the document of gradtui ranks.
type jsonRanks struct {
	Format  string         `json:"format"`               // always "gradtui-ranks"
	Version int            `json:"version"`              // of this schema: 1
	Same    bool           `json:"same"`                 // gradients and graphs are the same on all ranks
	Ranks   []jsonRank     `json:"ranks"`                // that were compared
	Grads   []jsonRankGrad `json:"gradients"`            // parameters that did not get gradients on all ranks alike
	Graph   *jsonFork      `json:"graph,omitempty"`      // the first operation with nodes that differs
	Ops     *jsonFork      `json:"operations,omitempty"` // the first of all operations that differs, if it is another one
}

// jsonRank is what a rank did as a whole.
type jsonRank struct {
	Rank   int        `json:"rank"`             // its number
	Ops    int        `json:"ops"`              // operations that ran
	Nodes  int        `json:"nodes"`            // nodes of the backward graph that it made
	Passes int        `json:"backward_passes"`  // that it began
	Steps  int        `json:"steps"`            // turns of its main loop
	Failed string     `json:"failed,omitempty"` // the exception that ended it
	At     *jsonPlace `json:"at,omitempty"`     // where that was raised
}

// jsonRankGrad is a parameter that did not get gradients on all ranks alike.
type jsonRankGrad struct {
	Name    string `json:"name"`    // what the program calls it
	Steps   []int  `json:"steps"`   // turns of the main loop in which it was so; 0: outside of it; none: the ranks have no loop in common
	Got     []int  `json:"got"`     // ranks where a backward pass reached it
	Reduced []int  `json:"reduced"` // ranks where none did, but .grad changed
	Without []int  `json:"without"` // ranks where nothing came
}

// jsonFork is the first operation that is not the same on all ranks.
type jsonFork struct {
	Number int       `json:"number"` // of operations that were the same before
	Ways   []jsonWay `json:"ways"`   // what the ranks did
}

// jsonWay is what some of the ranks did.
type jsonWay struct {
	Ranks  []int  `json:"ranks"`            // that did it
	Op     string `json:"op,omitempty"`     // left out: they did nothing more
	Module string `json:"module,omitempty"` // the path of the module in whose forward pass it ran
	jsonPlace
	Events []graph.Pos `json:"events"` // positions on the tapes of these ranks
}

// jsonPlace is a line of the program; left out if it is not known.
type jsonPlace struct {
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`     // counts from 1
	Function string `json:"function,omitempty"` // the function around it
}
