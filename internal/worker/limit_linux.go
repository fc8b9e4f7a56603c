package worker

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ownPath returns a path that starts this very program, also when its file has
// been replaced or removed since.
func ownPath() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self, nil
	}
	return os.Executable()
}

// LimitMemory bounds what this process may allocate on top of what it has. What can be written to
// counts, not address space, of which Go reserves a lot. What Go has in store, such as memory that it
// has just used to get ready, is for the work to use, so it counts as well.
func LimitMemory(more int64) error {
	const data = 5 // of statm
	return limit(rlimitData, data, more)
}

// LimitAddressSpace bounds what this process may map on top of what it has. Linux does not count
// memory against the limit on data that Go has reserved before it allocates it, so a heap can grow
// beyond [LimitMemory].
func LimitAddressSpace(more int64) error {
	const size = 0 // of statm
	return limit(syscall.RLIMIT_AS, size, more)
}

const rlimitData = 2 // RLIMIT_DATA on every architecture of Linux

func limit(resource, column int, more int64) error {
	used, err := statm(column)
	if err != nil {
		return err
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	memory := uint64(used) - min(m.HeapIdle, uint64(used)) + uint64(more)
	return syscall.Setrlimit(resource, &syscall.Rlimit{Cur: memory, Max: memory})
}

// LimitProcessorTime ends this process when it takes so much processor time more: a last resort, for
// one that is too busy to notice that its time is up, or that it has lost its parent.
func LimitProcessorTime(more time.Duration) error {
	seconds := uint64((ProcessorTime() + more).Seconds()) + 10
	return syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: seconds, Max: seconds})
}

// statm returns a column of /proc/self/statm in bytes: size resident shared text lib data dt.
func statm(column int) (int64, error) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text))
	if len(fields) <= column {
		return 0, fmt.Errorf("/proc/self/statm: %q", text)
	}
	pages, err := strconv.ParseInt(fields[column], 10, 64)
	return pages * int64(os.Getpagesize()), err
}
