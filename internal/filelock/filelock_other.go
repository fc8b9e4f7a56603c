//go:build !unix

package filelock

import (
	"errors"
	"os"
)

// Try locks nothing here.
func Try(*os.File) error { return errors.ErrUnsupported }

// Wait locks nothing here.
func Wait(*os.File) error { return errors.ErrUnsupported }
