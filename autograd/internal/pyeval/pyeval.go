// Package pyeval runs small Python programs on the engine, for tests that
// compare the engine with the recorded behaviour of PyTorch for a snippet of
// Python. Programs are given as syntax trees
// (tools/record/conformance/trees.py).
//
// The package uses the engine as a front end does, through autograd's Attr,
// SetAttr, CallAttr and CallFunction, nn.Make and optim.Make. It implements
// Python itself, such as unpacking a tuple, and leaves everything in torch to
// the engine.
//
//	pyeval.go   programs and statements
//	expr.go     expressions
//	object.go   functions, classes, attributes
//	builtin.go  Python's builtins and the arithmetic of numbers
//	torch.go    the modules of torch, Function, nn.Module
//	torch.go    the modules of torch, Function, nn.Module
package pyeval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/gradtui/gradtui/autograd"
)

// A tree is a node of a syntax tree; its class is under "_".
type tree map[string]any

func (t tree) class() string         { return t.str("_") }
func (t tree) str(key string) string { s, _ := t[key].(string); return s }

func (t tree) sub(key string) tree {
	m, _ := t[key].(map[string]any)
	return m
}

func (t tree) list(key string) []tree {
	items, _ := t[key].([]any)
	list := make([]tree, len(items))
	for i, item := range items {
		m, _ := item.(map[string]any)
		list[i] = m
	}
	return list
}

// Programs maps sources to their syntax trees.
type Programs map[string][]tree

// Load reads the file that trees.py writes.
func Load(path string) (Programs, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := json.NewDecoder(f)
	d.UseNumber()
	var p Programs
	err = d.Decode(&p)
	return p, err
}

// Add stores the tree of a program: the list of its statements.
func (p Programs) Add(source string, statements []byte) error {
	d := json.NewDecoder(bytes.NewReader(statements))
	d.UseNumber()
	var program []tree
	err := d.Decode(&program)
	p[source] = program
	return err
}

// A frame holds the names of a function, a class body or a program.
type frame struct {
	names map[string]any
	outer *frame
}

func newFrame(outer *frame) *frame { return &frame{map[string]any{}, outer} }

func (f *frame) lookup(name string) (any, bool) {
	for ; f != nil; f = f.outer {
		if v, ok := f.names[name]; ok {
			return v, true
		}
	}
	return nil, false
}

// An Interpreter runs programs one after the other. Names that one program
// binds are visible to the next.
type Interpreter struct {
	programs Programs
	globals  *frame
}

// New returns an interpreter with the names that recorded snippets use without
// importing them: torch, nn, F, copy, Function, nan, inf.
func New(p Programs) *Interpreter {
	in := &Interpreter{p, newFrame(&frame{names: builtins})}
	for name, v := range torchNames {
		in.globals.names[name] = v
	}
	return in
}

// Global returns the value of a variable of the programs.
func (in *Interpreter) Global(name string) (any, bool) {
	v, ok := in.globals.names[name]
	return v, ok
}

// Run executes a program. If the last statement is an expression, it returns
// its value. Python exceptions are of type *autograd.Error.
func (in *Interpreter) Run(source string) (any, error) {
	program, ok := in.programs[source]
	if !ok {
		return nil, fmt.Errorf("no syntax tree for %q: run trees.py", source)
	}
	var last any
	var err error
	for _, st := range program {
		if st.class() == "Expr" {
			last, err = in.eval(in.globals, st.sub("value"))
		} else {
			last, err = nil, in.exec(in.globals, st)
		}
		if err != nil {
			return nil, err
		}
	}
	return last, nil
}

// raised returns an error that Python itself raises.
func raised(class autograd.ErrorType, format string, args ...any) error {
	return &autograd.Error{Type: class, Text: fmt.Sprintf(format, args...)}
}

// A signal makes return, break and continue leave the enclosing statements.
type signal struct {
	what  string
	value any
}

func (s *signal) Error() string { return "SyntaxError: '" + s.what + "' outside its statement" }

func (in *Interpreter) block(f *frame, body []tree) error {
	for _, st := range body {
		if err := in.exec(f, st); err != nil {
			return err
		}
	}
	return nil
}

// statements maps the classes of statements to their evaluators.
var statements map[string]func(in *Interpreter, f *frame, st tree) error

// init fills the tables, because their entries refer to them.
func init() {
	statements, expressions, builtins = makeStatements(), makeExpressions(), makeBuiltins()
}

func makeStatements() map[string]func(in *Interpreter, f *frame, st tree) error {
	all := map[string]func(in *Interpreter, f *frame, st tree) error{
		"Expr":        func(in *Interpreter, f *frame, st tree) error { _, err := in.eval(f, st.sub("value")); return err },
		"Pass":        func(*Interpreter, *frame, tree) error { return nil },
		"Import":      func(*Interpreter, *frame, tree) error { return nil },
		"ImportFrom":  func(*Interpreter, *frame, tree) error { return nil },
		"Break":       func(*Interpreter, *frame, tree) error { return &signal{what: "break"} },
		"Continue":    func(*Interpreter, *frame, tree) error { return &signal{what: "continue"} },
		"Return":      (*Interpreter).execReturn,
		"Assign":      (*Interpreter).execAssign,
		"AugAssign":   (*Interpreter).execAugAssign,
		"Delete":      (*Interpreter).execDelete,
		"If":          (*Interpreter).execIf,
		"For":         (*Interpreter).execFor,
		"With":        (*Interpreter).execWith,
		"Raise":       (*Interpreter).execRaise,
		"Try":         (*Interpreter).execTry,
		"FunctionDef": (*Interpreter).execFunctionDef,
		"ClassDef":    (*Interpreter).execClassDef,
	}
	return all
}

func (in *Interpreter) exec(f *frame, st tree) error {
	run, ok := statements[st.class()]
	if !ok {
		return fmt.Errorf("the test interpreter does not support the statement %s", st.class())
	}
	return run(in, f, st)
}

func (in *Interpreter) execReturn(f *frame, st tree) error {
	var v any
	if st.sub("value") != nil {
		var err error
		if v, err = in.eval(f, st.sub("value")); err != nil {
			return err
		}
	}
	return &signal{"return", v}
}

func (in *Interpreter) execAssign(f *frame, st tree) error {
	v, err := in.eval(f, st.sub("value"))
	if err != nil {
		return err
	}
	for _, target := range st.list("targets") {
		if err := in.assign(f, target, v); err != nil {
			return err
		}
	}
	return nil
}

func (in *Interpreter) assign(f *frame, target tree, v any) error {
	switch target.class() {
	case "Name":
		f.names[target.str("id")] = v
		return nil
	case "Tuple", "List":
		return in.unpack(f, target.list("elts"), v)
	case "Starred":
		return in.assign(f, target.sub("value"), v)
	}
	obj, err := in.eval(f, target.sub("value"))
	if err != nil {
		return err
	}
	if target.class() == "Attribute" {
		return setAttr(obj, target.str("attr"), v)
	}
	index, err := in.eval(f, target.sub("slice"))
	if err != nil {
		return err
	}
	return setItem(obj, index, v)
}

func (in *Interpreter) unpack(f *frame, targets []tree, v any) error {
	values, err := iterate(v)
	least := ""
	if n := len(targets) - 1; err == nil && n >= 0 && targets[n].class() == "Starred" {
		if len(values) >= n {
			values = append(slices.Clone(values[:n]), slices.Clone(values[n:]))
		} else {
			targets, least = targets[:n], "at least "
		}
	}
	switch {
	case err != nil:
		return err
	case len(values) > len(targets):
		return raised(autograd.ValueError, "too many values to unpack (expected %d)", len(targets))
	case len(values) < len(targets):
		return raised(autograd.ValueError, "not enough values to unpack (expected %s%d, got %d)", least, len(targets), len(values))
	}
	for i, target := range targets {
		if err := in.assign(f, target, values[i]); err != nil {
			return err
		}
	}
	return nil
}

func (in *Interpreter) execAugAssign(f *frame, st tree) error {
	target := st.sub("target")
	old, err := in.eval(f, target)
	if err != nil {
		return err
	}
	v, err := in.eval(f, st.sub("value"))
	if err != nil {
		return err
	}
	if v, err = augmented(st.sub("op").class(), old, v); err != nil {
		return err
	}
	return in.assign(f, target, v)
}

func (in *Interpreter) execDelete(f *frame, st tree) error {
	for _, target := range st.list("targets") {
		name := target.str("id")
		if _, ok := f.names[name]; !ok || target.class() != "Name" {
			return raised("NameError", "name '%s' is not defined", name)
		}
		delete(f.names, name)
	}
	return nil
}

func (in *Interpreter) execIf(f *frame, st tree) error {
	on, err := in.condition(f, st.sub("test"))
	switch {
	case err != nil:
		return err
	case on:
		return in.block(f, st.list("body"))
	}
	return in.block(f, st.list("orelse"))
}

func (in *Interpreter) condition(f *frame, test tree) (bool, error) {
	v, err := in.eval(f, test)
	if err != nil {
		return false, err
	}
	return truth(v)
}

func (in *Interpreter) execFor(f *frame, st tree) error {
	v, err := in.eval(f, st.sub("iter"))
	if err != nil {
		return err
	}
	values, err := iterate(v)
	if err != nil {
		return err
	}
	for _, x := range values {
		if err := in.assign(f, st.sub("target"), x); err != nil {
			return err
		}
		err := in.block(f, st.list("body"))
		var s *signal
		if errors.As(err, &s) {
			if s.what == "break" {
				return nil
			}
			if s.what == "continue" {
				continue
			}
		}
		if err != nil {
			return err
		}
	}
	return in.block(f, st.list("orelse"))
}

// A contextManager is the object of a with statement; enter returns the
// function that leaves it.
type contextManager struct{ enter func() (leave func()) }

func (in *Interpreter) execWith(f *frame, st tree) error {
	for _, item := range st.list("items") {
		v, err := in.eval(f, item.sub("context_expr"))
		if err != nil {
			return err
		}
		m, ok := v.(*contextManager)
		if !ok {
			return raised(autograd.TypeError, "'%s' object does not support the context manager protocol", typeName(v))
		}
		defer m.enter()()
	}
	return in.block(f, st.list("body"))
}

func (in *Interpreter) execRaise(f *frame, st tree) error {
	v, err := in.eval(f, st.sub("exc"))
	if err != nil {
		return err
	}
	if class, ok := v.(autograd.ErrorType); ok {
		return &autograd.Error{Type: class}
	}
	if e, ok := v.(*autograd.Error); ok {
		return e
	}
	return raised(autograd.TypeError, "exceptions must derive from BaseException")
}

func (in *Interpreter) execTry(f *frame, st tree) (err error) {
	defer func() {
		if final := in.block(f, st.list("finalbody")); final != nil {
			err = final
		}
	}()
	err = in.block(f, st.list("body"))
	var e *autograd.Error
	if !errors.As(err, &e) {
		if err != nil {
			return err
		}
		return in.block(f, st.list("orelse"))
	}
	for _, h := range st.list("handlers") {
		catches, wrong := in.catches(f, h.sub("type"), e)
		if wrong != nil {
			return wrong
		}
		if catches {
			if name := h.str("name"); name != "" {
				f.names[name] = e
			}
			return in.block(f, h.list("body"))
		}
	}
	return err
}

func (in *Interpreter) catches(f *frame, class tree, e *autograd.Error) (bool, error) {
	if class == nil {
		return true, nil
	}
	v, err := in.eval(f, class)
	if err != nil {
		return false, err
	}
	classes, ok := v.(autograd.Tuple)
	if !ok {
		classes = autograd.Tuple{v}
	}
	return slices.ContainsFunc(classes, func(c any) bool { return c == e.Type || c == autograd.ErrorType("Exception") }), nil
}
