// Package dormant keeps go-graphviz asleep in programs that draw only by way
// of package graphviz, that is in child processes. Import it for that effect:
//
//	import _ "github.com/gradtui/gradtui/export/graphviz/dormant"
//
// Without it, package graphviz works the same, but such a program spends 25 ms
// and 15 MB at its start, or 0.7 s when the user's cache is empty or cannot be
// used, on a WebAssembly module that it never calls. With it, the program
// spends 4 ms and leaves the disk alone.
//
// A program that imports this package must not call go-graphviz itself: only
// processes started by package graphviz have the real module.
package dormant

import (
	_ "unsafe" // for go:linkname

	"github.com/gradtui/gradtui/export/graphviz/internal/boot"
)

// wasmFile is the embedded module that go-graphviz compiles when it is
// initialized. Package boot says why the initializer below runs before that.
//
//go:linkname wasmFile github.com/goccy/go-graphviz/internal/wasm.wasmFile
var wasmFile []byte

func init() {
	if boot.IsChild() {
		return
	}
	// A module in an unknown form stays as it is: slower, and right.
	if hollow, err := boot.Hollow(wasmFile); err == nil {
		wasmFile = hollow
		boot.Sleep()
	}
}
