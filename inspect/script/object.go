package script

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/gradtui/gradtui/internal/suggest"
)

// An attribute of the objects that scripts see.
type attribute[T any] struct {
	name, doc string
	get       func(s *session, x T) starlark.Value
}

// A kind is a type of objects.
type kind[T any] struct {
	name       string
	attributes []attribute[T]
	label      func(x T) string // identifies an object: two are equal if their labels are
}

// An object is a value of a script: a tensor, a node.
type object[T any] struct {
	kind *kind[T]
	s    *session
	x    T
}

func (o *object[T]) String() string { return o.kind.name + "(" + o.kind.label(o.x) + ")" }

// Type returns the name of the kind.
func (o *object[T]) Type() string { return o.kind.name }

// Freeze does nothing: objects do not change.
func (o *object[T]) Freeze() {}

// Truth returns true.
func (o *object[T]) Truth() starlark.Bool { return true }

// Hash lets objects be keys.
func (o *object[T]) Hash() (uint32, error) { return starlark.String(o.String()).Hash() }

// Attr returns an attribute.
func (o *object[T]) Attr(name string) (starlark.Value, error) {
	for _, a := range o.kind.attributes {
		if a.name == name {
			return a.get(o.s, o.x), nil
		}
	}
	return nil, starlark.NoSuchAttrError(fmt.Sprintf("a %s has no attribute %s%s", o.kind.name, name, suggest.Hint(name, o.AttrNames())))
}

// AttrNames returns the names of the attributes.
func (o *object[T]) AttrNames() []string {
	names := make([]string, len(o.kind.attributes))
	for i, a := range o.kind.attributes {
		names[i] = a.name
	}
	return names
}

// CompareSameType makes objects of one thing equal.
func (o *object[T]) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	same := o.String() == other.String()
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("a %s is neither less nor greater than another", o.kind.name)
}

func list(values []starlark.Value) starlark.Value { return starlark.NewList(values) }

func optionalText(s string) starlark.Value {
	if s == "" {
		return starlark.None
	}
	return starlark.String(s)
}

func optionalLine(n int) starlark.Value {
	if n == 0 {
		return starlark.None
	}
	return starlark.MakeInt(n)
}

func sizes(shape []int) starlark.Value {
	t := make(starlark.Tuple, len(shape))
	for i, n := range shape {
		t[i] = starlark.MakeInt(n)
	}
	return t
}
