//go:build unix

package capture

import (
	"os/exec"
	"syscall"
)

// ownSession makes a command the leader of a session in the terminal that is its
// standard input.
func ownSession(cmd *exec.Cmd) bool {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	return true
}
