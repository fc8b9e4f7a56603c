// Package wasmtmp gives go-graphviz a private directory for the machine code
// that it keeps. It is imported for its initializer, which runs before the one
// of go-graphviz: package boot says why it does. Whoever imports both calls
// boot.LeaveCache when go-graphviz has started.
package wasmtmp

import "github.com/gradtui/gradtui/export/graphviz/internal/boot"

func init() { boot.EnterCache() }
