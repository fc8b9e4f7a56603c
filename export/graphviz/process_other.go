//go:build !linux

package graphviz

import "os"

// ownPath returns a path that starts this program.
func ownPath() (string, error) { return os.Executable() }

// limitSelf relies on GOMEMLIMIT, which the parent sets.
func limitSelf(job) error { return nil }
