package documents

import "github.com/gradtui/gradtui/graph"

// Ranks is the document of gradtui ranks.
type Ranks struct {
	Format  string     `json:"format"`               // always "gradtui-ranks"
	Version int        `json:"version"`              // of this schema: 1
	Same    bool       `json:"same"`                 // gradients and graphs are the same on all ranks
	Ranks   []Rank     `json:"ranks"`                // that were compared
	Grads   []RankGrad `json:"gradients"`            // parameters that did not get gradients on all ranks alike
	Graph   *Fork      `json:"graph,omitempty"`      // the first operation with nodes that differs
	Ops     *Fork      `json:"operations,omitempty"` // the first of all operations that differs, if it is another one
}

// Rank is what a rank did as a whole.
type Rank struct {
	Rank   int    `json:"rank"`             // its number
	Ops    int    `json:"ops"`              // operations that ran
	Nodes  int    `json:"nodes"`            // nodes of the backward graph that it made
	Passes int    `json:"backward_passes"`  // that it began
	Steps  int    `json:"steps"`            // turns of its main loop
	Failed string `json:"failed,omitempty"` // the exception that ended it
	At     *Place `json:"at,omitempty"`     // where that was raised
}

// RankGrad is a parameter that did not get gradients on all ranks alike.
type RankGrad struct {
	Name    string `json:"name"`    // what the program calls it
	Steps   []int  `json:"steps"`   // iterations of the main loop in which the ranks differed; 0: outside it; none: the ranks have no loop in common
	Got     []int  `json:"got"`     // ranks where a backward pass reached it
	Reduced []int  `json:"reduced"` // ranks where none did, but .grad changed
	Without []int  `json:"without"` // ranks where nothing came
}

// Fork is the first operation that is not the same on all ranks.
type Fork struct {
	Number int   `json:"number"` // of operations that were the same before
	Ways   []Way `json:"ways"`   // what the ranks did
}

// Way is what some of the ranks did.
type Way struct {
	Ranks  []int  `json:"ranks"`            // that did it
	Op     string `json:"op,omitempty"`     // left out: they did nothing more
	Module string `json:"module,omitempty"` // the path of the module in whose forward pass it ran
	Place
	Events []graph.Pos `json:"events"` // positions on the tapes of these ranks
}
