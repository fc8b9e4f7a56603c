package scratch

import "os"

// Allocate makes a file of so many zeros, all of which have their place on the disk: a
// process that maps a file with holes is killed when there is no room for what it writes.
func Allocate(path string, size int64) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err := allocate(f, size); err != nil {
		f.Close()
		return nil, &os.PathError{Op: "allocate", Path: path, Err: err}
	}
	return f, nil
}

// writeZeros is for file systems that cannot allocate in another way.
func writeZeros(f *os.File, size int64) error {
	zeros := make([]byte, min(size, 1<<20))
	for size > 0 {
		n, err := f.Write(zeros[:min(size, int64(len(zeros)))])
		if err != nil {
			return err
		}
		size -= int64(n)
	}
	return nil
}
