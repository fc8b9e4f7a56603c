package launch

import (
	"errors"
	"slices"
	"strconv"
)

// Torchrun is the launcher of PyTorch, by the name of its command.
const Torchrun = "torchrun"

// launchers are the modules that start the ranks of a distributed program. torchrun runs the
// first.
var launchers = []string{"torch.distributed.run", "torch.distributed.launch"}

// ErrOneTape is returned for a program of several ranks where one tape is wanted.
var ErrOneTape = errors.New("the program runs in several processes, each of which has a tape of its own: gradtui record keeps them")

// IsPython reports whether this is a Python program.
func (p *Program) IsPython() bool {
	return p.Module || p.Name == Torchrun || p.Language == Python
}

// Distributed reports whether the program runs in several ranks that are started together.
func (p *Program) Distributed() bool {
	return p.Ranks > 0 || p.Launcher || p.Name == Torchrun || p.Module && slices.Contains(launchers, p.Name)
}

// asRun returns the program as Python runs it.
func (p *Program) asRun() Program {
	run := Program{Name: p.Name, Module: p.Module, Args: p.Args}
	switch {
	case p.Ranks > 0:
		args := []string{"--standalone", "--nproc_per_node", strconv.Itoa(p.Ranks)}
		if p.Module {
			args = append(args, "--module")
		}
		run.Args = slices.Concat(args, []string{p.Name}, p.Args)
		fallthrough
	case p.Name == Torchrun:
		run.Name, run.Module = launchers[0], true
	}
	return run
}
