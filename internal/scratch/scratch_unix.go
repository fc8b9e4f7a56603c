//go:build unix

package scratch

import "syscall"

// shared is where all users have their temporary files.
const shared = "/tmp"

// longestSocket is how long the path of a socket may be: a zero follows it.
const longestSocket = len(syscall.RawSockaddrUnix{}.Path) - 1
