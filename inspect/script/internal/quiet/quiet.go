// Package quiet keeps go.starlark.net from logging, in a package initializer, that it could not
// reserve 4 GB of address space, as under ulimit -v: it goes on without, and most commands run no
// script. Packages are initialized in the order of their import paths as soon as their imports are,
// so this one, which imports only log, comes before. Package script gives the log its output back.
package quiet

import (
	"io"
	"log"
)

func init() { log.SetOutput(io.Discard) }
