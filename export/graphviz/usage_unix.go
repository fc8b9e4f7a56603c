//go:build unix

package graphviz

import (
	"syscall"
	"time"
)

// processorTimeUsed returns how much processor time this process has taken.
func processorTimeUsed() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
