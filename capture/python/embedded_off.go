//go:build !embedpython

package python

import (
	"context"
	"errors"
)

// embeddedVersion is empty: no CPython is part of this program.
const embeddedVersion = ""

func unpackPython(context.Context) (string, *Interpreter, func(), error) {
	return "", nil, func() {}, errors.New("this gradtui was built without it (-tags embedpython)")
}
