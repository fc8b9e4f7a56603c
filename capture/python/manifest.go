package python

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gradtui/gradtui/internal/own"
)

// manifestName is the file that lists the others of a folder. Its first line is
// the hash of the rest; a line says mode, size, time of change and name of a file.
const manifestName = ".manifest"

func writeManifest(dir string) error {
	var lines bytes.Buffer
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&lines, manifestLine(info, path[len(dir)+1:]))
		return nil
	})
	if err != nil {
		return err
	}
	text := append([]byte(hash(lines.Bytes())+"\n"), lines.Bytes()...)
	return os.WriteFile(filepath.Join(dir, manifestName), text, 0o600)
}

// intact reports whether all files of a folder are as they were when its manifest
// was written, and it and they are of this user or root. It looks at sizes, modes and times,
// not into the files.
func intact(dir string) bool {
	ours := map[string]bool{} // folders that were looked at
	if !unshared(dir, ours) {
		return false
	}
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return false
	}
	sum, lines, _ := bytes.Cut(text, []byte("\n"))
	if string(sum) != hash(lines) {
		return false
	}
	s := bufio.NewScanner(bytes.NewReader(lines))
	for s.Scan() {
		fields := strings.SplitN(s.Text(), " ", 4)
		if len(fields) != 4 {
			return false
		}
		name := fields[3]
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil || manifestLine(info, name) != s.Text() || own.Unshared(name, info) != nil {
			return false
		}
		if !unshared(filepath.Dir(filepath.Join(dir, name)), ours) {
			return false
		}
	}
	return s.Err() == nil
}

// unshared reports whether only this user and root can write to a folder.
func unshared(dir string, known map[string]bool) bool {
	if !known[dir] {
		info, err := os.Lstat(dir)
		known[dir] = err == nil && info.IsDir() && own.Unshared(dir, info) == nil
	}
	return known[dir]
}

func manifestLine(info fs.FileInfo, name string) string {
	return fmt.Sprintf("%v %d %d %s", info.Mode(), info.Size(), info.ModTime().UnixNano(), name)
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
