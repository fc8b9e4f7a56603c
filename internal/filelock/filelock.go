// Package filelock locks files and folders against other processes, for as long as they are
// open. The lock of a process that is killed is free again.
package filelock

import "errors"

// ErrHeld is the error of Try for what another process has locked.
var ErrHeld = errors.New("another process has locked it")
