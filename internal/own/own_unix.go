//go:build unix

package own

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"syscall"
)

// check checks owner and mode. The mode of a link says nothing.
func check(path string, info fs.FileInfo, shared bool) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("the owner of %s is not known", path)
	}
	mode := info.Mode()
	switch {
	case int(st.Uid) != os.Geteuid() && st.Uid != 0 && !outside(st.Uid):
		return fmt.Errorf("%s belongs to another user (%d)", path, st.Uid)
	case mode&fs.ModeSymlink != 0:
	case shared && mode&fs.ModeSticky != 0:
	case mode&0o002 != 0, mode&0o020 != 0 && !private(st.Gid):
		return fmt.Errorf("others may write to %s (mode %04o)", path, mode.Perm())
	}
	return nil
}

// Mine reports whether a file belongs to this user, and not to root or another one.
func Mine(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// private reports whether a group is this user's own, by its number.
func private(gid uint32) bool {
	return int(gid) == os.Getegid() && os.Getegid() == os.Geteuid()
}

// outside reports whether a file belongs to the root of the system around this one: in a
// user namespace without a root, as sandboxes make it, all users that it does not know have
// the number that stands for none.
func outside(uid uint32) bool { return uid == overflow && rootless() }

const overflow = 65534

var rootless = sync.OnceValue(func() bool {
	users, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(users)) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] == "0" {
			return false
		}
	}
	return true
})
