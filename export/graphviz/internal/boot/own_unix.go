//go:build unix

package boot

import (
	"io/fs"
	"os"
	"syscall"
)

// own reports whether a file belongs to this user.
func own(st fs.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid()
}
