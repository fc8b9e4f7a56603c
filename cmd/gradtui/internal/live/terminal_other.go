//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package live

import (
	"errors"
	"os"
)

// There are no terminals for programs on this system.
type terminal struct{ stdout, stderr *line }

type line struct{ slave *os.File }

func openTerminal(Size, *output, *output) (*terminal, error) {
	return nil, errors.New("this system has no pseudo-terminals, which a program that is debugged needs: gradtui record runs it, gradtui open shows the tape")
}

func (*terminal) resize(Size)      {}
func (*terminal) send(string) bool { return false }
func (*terminal) drain()           {}
func (*terminal) close()           {}
