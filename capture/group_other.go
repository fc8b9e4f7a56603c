//go:build !unix

package capture

import (
	"os"
	"os/exec"
)

// ownGroup reports that there are no process groups.
func ownGroup(*exec.Cmd) bool { return false }

// ownSession reports that there are no sessions.
func ownSession(*exec.Cmd) bool { return false }

// signalGroup signals a process; its children are not known.
func signalGroup(p *os.Process, sig os.Signal) error { return p.Signal(sig) }
