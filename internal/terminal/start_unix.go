//go:build unix

package terminal

import (
	"os/exec"
	"syscall"
)

// startSession runs a command as the leader of a session whose terminal is its standard
// input.
func startSession(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	return cmd.Start()
}
