//go:build !unix

package terminal

import (
	"errors"
	"os/exec"
)

func startSession(*exec.Cmd) error { return errors.ErrUnsupported }
