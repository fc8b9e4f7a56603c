package tapefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gradtui/gradtui/internal/replace"
)

// extension is what the names of tapes end in.
const extension = ".tape"

// PartName is where a tape is while it is written that is going to replace a file:
// run.part.tape for run.tape. It can be read and followed there.
func PartName(path string) string {
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + ".part" + ext
}

// Replaceable checks that a tape may replace what is at a path: a tape, a file that is called
// as tapes are, an empty file, or nothing. So a name that was mistaken for another does not
// cost a program or its data.
func Replaceable(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file and cannot be replaced", path)
	case info.Size() == 0, filepath.Ext(path) == extension:
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var start [len(magic)]byte
	if f.Read(start[:]); string(start[:]) != magic {
		return fmt.Errorf("%s is not a tape, and only tapes are replaced: name another file, or remove it", path)
	}
	return nil
}

// createFile creates a file that begins with the header, and says which one it is going to
// replace; "": none.
func createFile(path string, header []byte, overwrite bool) (file *os.File, replaces string, err error) {
	if _, err := os.Lstat(path); err == nil && overwrite {
		if file, err = createPart(path); err != nil {
			return nil, "", err
		}
		replaces = path
	} else if file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		return nil, "", err
	}
	if _, err := file.Write(header); err != nil {
		file.Close()
		os.Remove(file.Name())
		return nil, "", err
	}
	return file, replaces, nil
}

func createPart(path string) (*os.File, error) {
	for _, name := range []string{path, PartName(path)} {
		if err := Replaceable(name); err != nil {
			return nil, err
		}
	}
	return replace.Create(PartName(path), 0o600)
}

// finish closes the file. One that is complete and has events takes its place.
func (w *Writer) finish(complete bool) error {
	switch {
	case w.file == nil:
		return nil
	case w.replaces == "" || !complete:
		return w.file.Close()
	case len(w.blocks) == 0:
		return w.remove()
	}
	if err := replace.Finish(w.file, w.replaces); err != nil {
		return err
	}
	w.path = w.replaces
	return nil
}

// Path is the file that the tape is in, as long as the writer has not been closed maybe one
// beside the file that it replaces; "": it has none any more, because there was nothing to
// write.
func (w *Writer) Path() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.path
}

// Discard closes the writer and removes its file. One that was to be replaced stays as it is.
func (w *Writer) Discard() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	return w.remove()
}

func (w *Writer) remove() error {
	if w.path == "" {
		return nil
	}
	w.file.Close() // some systems remove nothing that is open
	err := os.Remove(w.path)
	w.path = ""
	return err
}
