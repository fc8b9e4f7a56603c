package scratch

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// Socket is the name of the socket in a folder.
const Socket = "socket"

// Listen listens at the socket of a folder.
func Listen(dir string) (*net.UnixListener, error) {
	path := filepath.Join(dir, Socket)
	if len(path) > longestSocket {
		return nil, fmt.Errorf("the path of a socket may have %d bytes, and %s has %d", longestSocket, path, len(path))
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}
