// Package engine says what an engine for Python programs has to do. An engine is what the
// program's calls of torch end in: gradtui's own (package builtin) or PyTorch (package
// pytorch). What an engine does in the program's process is Python code, which it finds by
// the environment; its other end is a [Server], which writes the tape.
//
// Package python, which starts programs, has the table of the engines.
package engine

import (
	"strings"

	"github.com/gradtui/gradtui/control"
	"github.com/gradtui/gradtui/graph"
)

// A Setup is what an engine gets for a program that is about to start.
type Setup struct {
	// Tape receives what the program does.
	Tape *graph.Tape
	// Variables are names of global variables whose tensors are asked for when the program
	// ends.
	Variables []string
	// Gate, if it is not nil, may stop the program.
	Gate *control.Gate
	// Join, if it is not nil, says that the program starts the ranks of a distributed one.
	// It decides, for what the tape of a rank says about it, where the rank is recorded;
	// several goroutines may call it at once. Tape, Variables and Gate do not count then.
	Join func(graph.Info) (Rank, error)
}

// A Rank is where one process of a distributed program is recorded.
type Rank struct {
	Tape *graph.Tape
	// Session, if it is not nil, controls the process.
	Session *control.Session
	// Ended is called when nothing more comes of the process, with what is wrong with its
	// tape, if anything is.
	Ended func(damaged error)
}

// A Server is gradtui's end of an engine, for one program.
type Server interface {
	// Environment returns the variables that the program's environment needs, as NAME=value.
	Environment() []string
	// Serve serves the program until it ends, or until Stop is called. connected says
	// whether the program came at all; err, what is missing on the tape.
	Serve() (connected bool, err error)
	// Stop makes Serve return: the program has ended, though a process that it forked may
	// still be there.
	Stop()
	// Variables returns the variables that were asked for and that existed when the
	// program ended. Serve must have returned.
	Variables() map[string]Variable
	// Close frees what the server holds. Serve must have returned.
	Close()
}

// A Variable is what a global variable of a program holds at its end.
type Variable struct {
	Type    string // the name of the type
	Mapping bool   // it is a dict
	// Tensors are the tensor, or those in the tuple, list or dict.
	Tensors []Element
}

// An Element is a tensor in a variable.
type Element struct {
	Key string // in a mapping
	ID  graph.TensorID
}

// VariablesVariable is the environment variable that tells the program which of
// its variables are asked for: names with commas between them.
const VariablesVariable = "GRADTUI_VARIABLES"

// AskFor returns what the environment of a program needs that is asked for variables.
func AskFor(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return []string{VariablesVariable + "=" + strings.Join(names, ",")}
}
