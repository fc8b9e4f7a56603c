package nn

import (
	"fmt"
	"strings"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/autograd/internal/pycall"
	"github.com/gradtui/gradtui/graph"
)

// Forward calls the module, with its hooks, and returns its first result. An
// error travels in the tensor.
func (m *Module) Forward(x ...*autograd.Tensor) *autograd.Tensor {
	outs, err := m.Run(x...)
	switch {
	case err != nil:
		return autograd.Failed(err)
	case len(outs) == 0:
		return nil
	}
	return outs[0]
}

// Run is Forward for modules with several results: it returns all of them, or
// the error.
func (m *Module) Run(x ...*autograd.Tensor) ([]*autograd.Tensor, error) {
	if err := m.Err(); err != nil {
		return nil, err
	}
	for _, t := range x {
		if t != nil && t.Err() != nil {
			return nil, t.Err()
		}
	}
	defer m.enter()()
	if m.hooks.none() {
		return m.compute(x)
	}
	return m.runHooked(x)
}

// compute runs the forward pass itself.
func (m *Module) compute(x []*autograd.Tensor) ([]*autograd.Tensor, error) {
	if m.forward == nil {
		return nil, raise(autograd.NotImplementedError, fmt.Sprintf("Module [%s] is missing the required \"forward\" function", m.Class()))
	}
	if m.inputs != nil {
		if err := m.checkInputs(len(x)); err != nil {
			return nil, err
		}
	}
	return m.forward(x)
}

// checkInputs checks the number of arguments of the forward pass.
func (m *Module) checkInputs(n int) error {
	var missing []string
	least := 0
	for i, name := range m.inputs {
		if strings.HasSuffix(name, "?") {
			continue
		}
		least++
		if i >= n {
			missing = append(missing, name)
		}
	}
	function := m.Class() + ".forward"
	switch {
	case len(missing) > 0:
		return pycall.MissingArguments(function, missing)
	case n > len(m.inputs):
		return pycall.TooManyArguments(function, least, len(m.inputs), n)
	}
	return nil
}

// A scope is a root module whose forward pass is running, with the paths of the
// modules below it.
type scope struct{ paths map[*Module]string }

// scopes are the running forward passes. The engine serves one thread at a
// time.
var scopes []scope

// enter records the module's path on the tape. leave ends the pass.
func (m *Module) enter() (leave func()) {
	if !autograd.Recording() {
		return func() {}
	}
	for i := len(scopes) - 1; i >= 0; i-- {
		if path, ok := scopes[i].paths[m]; ok {
			return autograd.EnterModule(path, m.Class(), m.mode())
		}
	}
	paths := map[*Module]string{}
	for _, n := range m.NamedModules() {
		paths[n.Value] = n.Name
	}
	for _, p := range m.NamedParameters() {
		if p.Value.Name() == "" {
			p.Value.SetName(p.Name)
		}
	}
	scopes = append(scopes, scope{paths})
	left := autograd.EnterModule("", m.Class(), m.mode())
	return func() {
		left()
		scopes = scopes[:len(scopes)-1]
	}
}

func (m *Module) mode() graph.ModuleMode {
	if m.training {
		return graph.ModeTraining
	}
	return graph.ModeEvaluation
}
