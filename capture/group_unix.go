//go:build unix

package capture

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes a command the leader of a process group.
func ownGroup(cmd *exec.Cmd) bool {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return true
}

// ownSession makes a command the leader of a session in the terminal that is its
// standard input.
func ownSession(cmd *exec.Cmd) bool {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	return true
}

// signalGroup signals all processes of the group that p leads.
func signalGroup(p *os.Process, sig os.Signal) error {
	return syscall.Kill(-p.Pid, sig.(syscall.Signal))
}
