// Package thiscommand builds gradtui from the source tree, for benchmarks and scripts
// that drive it.
package thiscommand

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// Build builds the command into a folder and returns its path. An error holds what the
// compiler said.
func Build(dir string) (path string, err error) {
	path = filepath.Join(dir, "gradtui")
	if text, err := exec.Command("go", "build", "-o", path, "github.com/gradtui/gradtui/cmd/gradtui").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, text)
	}
	return path, nil
}
