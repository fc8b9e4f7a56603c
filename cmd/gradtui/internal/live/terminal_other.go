//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package live

import (
	"errors"
	"os"
)

// terminal is not available on this system.
type terminal struct{ stdout, stderr *line }

type line struct{ slave *os.File }

func openTerminal(Size, *output, *output) (*terminal, error) {
	return nil, errors.New("live debugging needs pseudo-terminals, which this system lacks; use gradtui record, then gradtui open")
}

func (*terminal) resize(Size)      {}
func (*terminal) send(string) bool { return false }
func (*terminal) drain()           {}
func (*terminal) close()           {}
