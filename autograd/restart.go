package autograd

import "github.com/gradtui/gradtui/autograd/internal/repr"

// Restart resets the engine to the state of a new process, for a process that
// runs one program after another. It resets the default dtype, the print
// options, the warnings that have been issued, and the default random
// generator, which gets a new random seed.
func Restart() {
	defaultDType, printOptions = Float32, repr.DefaultOptions()
	warnAlways = false
	warned.Clear()
	printed.Clear()
	DefaultGenerator.Seed(randomSeed())
}
