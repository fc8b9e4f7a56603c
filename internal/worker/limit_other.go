//go:build !linux

package worker

import (
	"os"
	"time"
)

// ownPath returns a path that starts this program.
func ownPath() (string, error) { return os.Executable() }

// LimitMemory relies on GOMEMLIMIT, which the parent sets.
func LimitMemory(int64) error { return nil }

// LimitAddressSpace relies on GOMEMLIMIT as well.
func LimitAddressSpace(int64) error { return nil }

// LimitProcessorTime relies on the parent.
func LimitProcessorTime(time.Duration) error { return nil }
