package graphviz

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
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

// limitSelf bounds what this process may use. Memory is what it allocates on
// top of what it has; what can be written to counts, not address space, of
// which Go reserves a lot. What Go has in store, such as the memory in which it
// has just compiled Graphviz, is for the layout to use, so it counts, too. The
// processor time is a last resort, for a child that is too busy to notice that
// its time is up, or that it has lost its parent.
func limitSelf(j job) error {
	const rlimitData = 2 // RLIMIT_DATA on every architecture of Linux
	used, err := dataSize()
	if err != nil {
		return err
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	memory := uint64(used) - min(m.HeapIdle, uint64(used)) + uint64(j.MaxMemory)
	if err := syscall.Setrlimit(rlimitData, &syscall.Rlimit{Cur: memory, Max: memory}); err != nil {
		return err
	}
	seconds := uint64((processorTimeUsed() + j.MaxProcessorTime).Seconds()) + 10
	return syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: seconds, Max: seconds})
}

// dataSize returns what counts against RLIMIT_DATA now, in bytes.
func dataSize() (int64, error) {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(statm))
	const data = 5 // size resident shared text lib data dt
	if len(fields) <= data {
		return 0, fmt.Errorf("/proc/self/statm: %q", statm)
	}
	pages, err := strconv.ParseInt(fields[data], 10, 64)
	return pages * int64(os.Getpagesize()), err
}
