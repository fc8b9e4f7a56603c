// Package protocol has what the Go side and the Python side of an engine both know:
// constants, and the records of PyTorch with their fields.
//
// The tables [Builtin] and [Recorder] are the one place for them. The files _protocol.py of
// python/builtin/torch and of python/src/gradtui/_recorder, and the table of records in
// docs/internals/records.md, are made from them by a test:
//
//	go generate ./capture/python/protocol
//
// Package graph has the reasons, modes and flags that are also on tapes.
package protocol

import (
	"fmt"
	"strings"
)

//go:generate go test . -run TestGenerated -update

// A Group is a list of constants about one subject, for Python.
type Group struct {
	Doc       string
	Constants []Constant
}

// A Constant is a value that both languages know. Its name is the name in Python.
type Constant struct {
	Name  string
	Value any    // a number, a text or a list of texts
	Doc   string // may be empty
}

// numbered are the constants of an enumeration from first to last. Their names are a prefix
// and what the values print.
func numbered[T interface {
	~uint8
	fmt.Stringer
}](prefix string, first, last T) (all []Constant) {
	for x := first; x <= last; x++ {
		all = append(all, Constant{Name: prefix + strings.ToUpper(x.String()), Value: uint64(x)})
	}
	return all
}
