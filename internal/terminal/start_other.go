//go:build !unix

package terminal

import (
	"errors"
	"os/exec"
)

func start(*exec.Cmd) error { return errors.ErrUnsupported }
