// Package python holds the Python files of gradtui, which are part of the command.
//
//	src/gradtui            the package that users install: recordings, attach, the pytest plugin
//	src/gradtui/_agent     stacks, names and modules of a running program, for both engines
//	src/gradtui/_recorder  records what PyTorch does
//	builtin/torch          the torch of the built-in engine
//	boot                   what a program's interpreter runs first
//	tests                  tests of the agent and the recorder, which need no PyTorch
//
// py.typed says that src/gradtui is annotated; only the installed package needs it.
//
// The folder builtin is on the path of programs that run on the built-in engine and on no
// other, so that torch in src is always PyTorch.
package python

import "embed"

// Files are the modules. The patterns leave out what Python and build tools put beside
// them.
//
//go:embed boot/*.py src/gradtui/*.py src/gradtui/*/*.py
//go:embed builtin/torch/*.py builtin/torch/*/*.py builtin/torch/*/*/*.py builtin/torch/*/*/*/*.py
var Files embed.FS

// Probe is a program that prints what its interpreter is, as a line of JSON.
//
//go:embed probe.py
var Probe string
