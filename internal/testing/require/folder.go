package require

import (
	"errors"
	"testing"

	"github.com/gradtui/gradtui/internal/scratch"
)

// longest is the longest path in bytes of a folder for sockets: below it are a folder and a
// socket of gradtui, and macOS allows 103 bytes for all.
const longest = 60

// ShortFolder returns a new folder of the test whose path is short enough for sockets in
// folders in it, even if the path of $TMPDIR is long. Without one the test is skipped.
func ShortFolder(t testing.TB) string {
	t.Helper()
	folder, err := scratch.Make("a test", func(dir string) error {
		if len(dir) > longest {
			return errors.New("the path is too long")
		}
		return nil
	})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(folder.Remove)
	return folder.Path
}
