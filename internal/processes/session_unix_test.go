//go:build unix

package processes

import (
	"os/exec"
	"syscall"
)

// ownSession lets a command begin a session.
func ownSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
