package autograd

import "github.com/gradtui/gradtui/autograd/internal/repr"

// Restart gives the engine the state of a process that has just started, for a process
// that runs one program after another: default dtype, how tensors are printed, which
// warnings came already, and a generator of random numbers that was not seeded.
func Restart() {
	defaultDType, printOptions = Float32, repr.DefaultOptions()
	warnAlways = false
	warned.Clear()
	printed.Clear()
	DefaultGenerator.Seed(randomSeed())
}
