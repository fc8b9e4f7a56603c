//go:build !unix

package own

import "io/fs"

func check(string, fs.FileInfo, bool) error { return nil }

// Mine reports whether a file belongs to this user.
func Mine(fs.FileInfo) bool { return true }
