//go:build unix

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/internal/processes"
)

// What Linux says of processes. Elsewhere there is no /proc: what processes would show is not
// looked at.

// descendants are the processes below one.
func descendants(pid int) (all []int) {
	if p, ok := processes.Find(pid); ok {
		for _, child := range p.Below(true) {
			all = append(all, child.PID)
		}
	}
	return all
}

// commandLine is what a process was started with.
func commandLine(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.ReplaceAll(string(text), "\x00", " ")
}

// alive reports whether a process exists and is not a zombie.
func alive(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(text), ") ")
	return !strings.HasPrefix(after, "Z") && !strings.HasPrefix(after, "X")
}

// usage is the memory of a process in bytes, and how many files it has open.
func usage(pid int) (bytes int64, files int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			bytes = kib << 10
		}
	}
	open, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return bytes, len(open)
}
