package python

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/gradtui/gradtui/capture/python/builtin"
	"github.com/gradtui/gradtui/capture/python/engine"
	"github.com/gradtui/gradtui/capture/python/pytorch"
	"github.com/gradtui/gradtui/internal/suggest"
)

// An Engine is what computes a program's calls of torch.
type Engine string

// The engines. An empty name is Builtin.
const (
	Auto    Engine = "auto"       // the first in the table for which the Python has everything
	PyTorch Engine = pytorch.Name // PyTorch itself, recorded
	Builtin Engine = builtin.Name // the engine of package autograd, behind a torch package of our own
)

// An engineEntry is an engine of the table.
type engineEntry struct {
	name Engine
	// lacks is the error for programs in an interpreter that lacks what the engine needs.
	lacks func(*Interpreter) error
	// onTape is what tapes of programs in an interpreter say about the engine.
	onTape func(*Interpreter) string
	serve  func(engine.Setup) (engine.Server, error)
}

// engines is the table of the engines; Auto prefers the first ones. The last one needs nothing.
var engines = []engineEntry{
	{PyTorch, lacksTorch, func(p *Interpreter) string { return pytorch.OnTape(p.Torch) }, pytorch.New},
	{Builtin, func(*Interpreter) error { return nil }, func(*Interpreter) string { return builtin.Name }, builtin.New},
}

// lacksTorch is the error for an interpreter without PyTorch, which may be nil.
func lacksTorch(p *Interpreter) error {
	if p == nil || p.Torch == "" {
		return ErrNoTorch
	}
	return nil
}

// ErrNoTorch is returned for a program that is to run on PyTorch, in a Python that has none.
var ErrNoTorch = errors.New("the interpreter has no torch: install it there, name another one with --python, or let --engine builtin run the program")

// entry is the engine's line of the table. Auto has none.
func (e Engine) entry() *engineEntry {
	if e == "" {
		e = Builtin
	}
	i := slices.IndexFunc(engines, func(entry engineEntry) bool { return entry.name == e })
	if i < 0 {
		return nil
	}
	return &engines[i]
}

// EngineVariable is the environment variable that says what Auto means.
const EngineVariable = "GRADTUI_ENGINE"

// EngineNames lists what a user can choose: Auto, then the engines by name.
func EngineNames() []string {
	var names []string
	for _, entry := range engines {
		names = append(names, string(entry.name))
	}
	slices.Sort(names)
	return slices.Insert(names, 0, string(Auto))
}

// ParseEngine finds an engine by its name.
func ParseEngine(name string) (Engine, error) {
	if slices.Contains(EngineNames(), name) {
		return Engine(name), nil
	}
	return "", suggest.Unknown("engine", name, EngineNames())
}

// asked is the engine that the user wants: for Auto, the one that the environment names.
func (e Engine) asked() (Engine, error) {
	name := os.Getenv(EngineVariable)
	if e != Auto || name == "" {
		return e, nil
	}
	asked, err := ParseEngine(name)
	if err != nil {
		return "", fmt.Errorf("the environment variable %s: %w", EngineVariable, err)
	}
	return asked, nil
}

// Chosen reports whether the user has chosen an engine, by its name or in the environment.
func (e Engine) Chosen() bool {
	asked, err := e.asked()
	return err != nil || asked != Auto
}

// On returns the engine for programs that run in a Python: never Auto. It is an error if the
// Python lacks what the engine needs, or if [EngineVariable] decides and names no engine.
func (e Engine) On(c *Candidate) (Engine, error) {
	e, err := e.asked()
	if err != nil {
		return "", err
	}
	if entry := e.entry(); entry != nil {
		if err := entry.lacks(c.Interpreter); err != nil {
			return "", fmt.Errorf("%s: %w", c.Describe(), err)
		}
		return entry.name, nil
	}
	first := slices.IndexFunc(engines, func(entry engineEntry) bool { return entry.lacks(c.Interpreter) == nil })
	return engines[first].name, nil // there is one: the last engine needs nothing
}

// A Choice is what a program runs in and on.
type Choice struct {
	Python Candidate
	Engine Engine // not Auto
	close  func() // nil if the Python stays
}

// Choose finds the Python and the engine for the program.
func (p *Program) Choose(ctx context.Context) (*Choice, error) {
	found, skipped, closed, err := Find(ctx, p.Python)
	for _, c := range skipped {
		if p.Skipped != nil {
			p.Skipped(c)
		}
	}
	if err != nil {
		return nil, err
	}
	engine, err := p.Engine.On(found)
	if err != nil {
		closed()
		return nil, err
	}
	return &Choice{*found, engine, closed}, nil
}

// EngineOnTape is what a tape says about the engine: "builtin" or "torch 2.6.0".
func (c *Choice) EngineOnTape() string { return c.Engine.entry().onTape(c.Python.Interpreter) }
