//go:build unix

package terminal

import (
	"os/exec"
	"syscall"
)

// start runs a command as the leader of a session whose terminal is its standard
// input.
func start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	return cmd.Start()
}
