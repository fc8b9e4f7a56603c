package python

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gradtui/gradtui/capture/python/pytorch"
)

// waiting begins the names of the folders of debuggers that wait. Programs look for wait-.
const waiting = "wait-gradtui."

// elsewhere is what to do where programs cannot find a debugger.
const elsewhere = "set XDG_RUNTIME_DIR, here and for the program, to a folder that only you can write to"

// Rendezvous makes a folder where programs of the same user look for a debugger, below
// [RendezvousFolder].
func Rendezvous() (*pytorch.Receiver, error) {
	folder, err := RendezvousFolder()
	if err != nil {
		return nil, err
	}
	if err := ownFolder(folder); err != nil {
		return nil, fmt.Errorf("programs cannot find a debugger in %s: %w; %s", folder, err, elsewhere)
	}
	r, err := pytorch.ReceiveIn(folder, waiting)
	if err != nil {
		return nil, fmt.Errorf("programs cannot find a debugger in %s: %w; %s", folder, err, elsewhere)
	}
	return r, nil
}

// RendezvousFolder is where debuggers wait for programs of the same user.
func RendezvousFolder() (string, error) {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "gradtui"), nil
	}
	return CacheDirectory()
}
