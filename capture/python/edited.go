package python

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gradtui/gradtui/internal/scratch"
)

// editedVariable is the environment variable that names the folder of edited files. asMain, in the
// folder of our Python files, runs a program that is one of them.
const (
	editedVariable = "GRADTUI_EDITED"
	asMain         = "src/gradtui/_agent/as_main.py"
)

// An overlay holds the edited files of a program while it runs; nil: there are none.
type overlay struct{ folder *scratch.Folder }

// editedFiles writes the new texts to a folder, as _agent/edited.py reads them.
func (p *Program) editedFiles() (*overlay, error) {
	if len(p.Edited) == 0 {
		return nil, nil
	}
	if p.Join != nil {
		return nil, errors.New("a distributed program cannot run with edited files")
	}
	folder, err := scratch.Make("the edited files", func(dir string) error {
		var names strings.Builder
		for i, name := range slices.Sorted(maps.Keys(p.Edited)) {
			path, err := filepath.Abs(name)
			if err != nil {
				return err
			}
			names.WriteString(path + "\x00")
			if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), []byte(p.Edited[name]), 0o600); err != nil {
				return err
			}
		}
		return os.WriteFile(filepath.Join(dir, "names"), []byte(names.String()), 0o600)
	})
	if err != nil {
		return nil, err
	}
	return &overlay{folder}, nil
}

func (o *overlay) environment() []string {
	if o == nil {
		return nil
	}
	return []string{editedVariable + "=" + o.folder.Path}
}

func (o *overlay) remove() {
	if o != nil {
		o.folder.Remove()
	}
}

// mainEdited reports whether the program itself is one of the edited files.
func (p *Program) mainEdited() bool {
	if p.Module || p.Path == StandardInput || len(p.Edited) == 0 {
		return false
	}
	main, err := os.Stat(p.Path)
	if err != nil {
		return false
	}
	for name := range p.Edited {
		if info, err := os.Stat(name); err == nil && os.SameFile(main, info) {
			return true
		}
	}
	return false
}
