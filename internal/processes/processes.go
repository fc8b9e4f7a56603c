// Package processes finds the processes that a process has started, and theirs. The system
// says which there are: Linux in /proc, macOS with a sysctl. Elsewhere none is known.
package processes

import (
	"errors"
	"os"
)

// A Process is a process of this machine.
type Process struct {
	PID     int
	Parent  int    // PID of the parent; of init or a subreaper after the parent has ended
	Session int    // the PID of the process that began its session
	started uint64 // when, in units of the system: numbers of processes are used again
}

// Find describes the process that has a number now.
func Find(pid int) (p Process, ok bool) { return look(pid) }

// Below lists the processes that the process has started, and those that they have, a
// parent before its children. Those that began a session of their own, as daemons do, are
// listed with what they have started only if detached says so. Nothing is below a process
// that has ended, though what it started may go on.
func (p Process) Below(detached bool) []Process {
	children := map[int][]Process{}
	var top Process
	for _, q := range all() {
		children[q.Parent] = append(children[q.Parent], q)
		if q.PID == p.PID {
			top = q
		}
	}
	if top.PID == 0 || top.started != p.started {
		return nil
	}
	var below []Process
	var walk func(Process)
	walk = func(p Process) {
		for _, q := range children[p.PID] {
			if detached || q.Session == p.Session {
				below = append(below, q)
				walk(q)
			}
		}
	}
	walk(top)
	return below
}

// ErrGone is returned for a process that has ended.
var ErrGone = errors.New("the process has ended")

// Signal signals the process, and no other one that has its number now.
func (p Process) Signal(sig os.Signal) error {
	found, err := os.FindProcess(p.PID)
	if err != nil {
		return err
	}
	defer found.Release()
	if now, ok := look(p.PID); !ok || now.started != p.started {
		return ErrGone
	}
	return found.Signal(sig)
}
