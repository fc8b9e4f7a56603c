package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"github.com/gradtui/gradtui/inspect"
	"github.com/gradtui/gradtui/internal/own"
	"github.com/gradtui/gradtui/internal/regular"
)

// FileName is the name of the project file.
const FileName = "gradtui.toml"

// A file is the content of a project file.
type file struct {
	Check struct {
		FailOn string              `toml:"fail-on"`
		Only   []string            `toml:"only"`
		Ignore []string            `toml:"ignore"`
		Hints  bool                `toml:"hints"`
		Paths  map[string][]string `toml:"per-path-ignores"`
	} `toml:"check"`
}

// FindFile looks for a project file from a folder upward to the root of the repository, or,
// outside a repository, as long as the folders belong to this user; "" if there is none. A file
// that another user could have written is an error.
func FindFile(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", nil // the working directory is gone
	}
	for top := highest(dir); ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, FileName)
		info, err := os.Stat(path)
		switch {
		case err == nil && info.Mode().IsRegular():
			if err := own.Unshared(path, info); err != nil {
				return "", fmt.Errorf("the project file is not used: %w; make it a file that only you can write to", err)
			}
			return path, nil
		case dir == top:
			return "", nil
		}
	}
}

// highest returns the last folder above one in which a project file is looked for.
func highest(dir string) string {
	for top := dir; ; {
		_, err := os.Stat(filepath.Join(top, ".git"))
		if err == nil && private(top, own.Unshared) {
			return top
		}
		parent := filepath.Dir(top)
		if parent == top {
			break
		}
		top = parent
	}
	for {
		parent := filepath.Dir(dir)
		if parent == dir || !private(parent, mine) {
			return dir
		}
		dir = parent
	}
}

// private reports whether a folder passes a check of its owner and mode.
func private(dir string, check func(dir string, info fs.FileInfo) error) bool {
	info, err := os.Stat(dir)
	return err == nil && check(dir, info) == nil
}

// mine checks that a folder belongs to this user and others cannot write to it.
func mine(dir string, info fs.FileInfo) error {
	if !own.Mine(info) {
		return errors.New(dir + " belongs to another user")
	}
	return own.Unshared(dir, info)
}

// maxFile is the size of the largest project file that is read.
const maxFile = 1 << 20

// Load reads the policy of a project file. Its errors name the line and the key.
func Load(path string, all []inspect.Rule) (Policy, error) {
	p := Default()
	text, err := regular.Read(path, maxFile)
	if err != nil {
		var access *fs.PathError
		if errors.As(err, &access) {
			err = access.Err
		}
		return p, fmt.Errorf("cannot read %s: %w", path, err)
	}
	var f file
	meta, err := toml.Decode(string(text), &f)
	if err != nil {
		return p, SyntaxError(path, err)
	}
	wrong := func(err error, key ...string) error {
		return fmt.Errorf("%s:%d: %s: %w", path, LineOf(string(text), key), strings.Join(key, "."), err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return p, wrong(errors.New("unknown key; the keys are "+strings.Join(keys, ", ")), unknown[0]...)
	}
	if meta.IsDefined("check", "fail-on") {
		if p.FailOn, err = inspect.ParseSeverity(f.Check.FailOn); err != nil {
			return p, wrong(err, "check", "fail-on")
		}
	}
	if err := CheckCodes(f.Check.Only, all); err != nil {
		return p, wrong(err, "check", "only")
	}
	if err := CheckCodes(f.Check.Ignore, all); err != nil {
		return p, wrong(err, "check", "ignore")
	}
	p.Only, p.Ignore, p.Hints = f.Check.Only, f.Check.Ignore, f.Check.Hints
	for _, pattern := range slices.Sorted(maps.Keys(f.Check.Paths)) {
		codes := f.Check.Paths[pattern]
		if err := CheckCodes(slices.DeleteFunc(slices.Clone(codes), isAll), all); err != nil {
			return p, wrong(err, "check", "per-path-ignores", pattern)
		}
		p.Paths = append(p.Paths, newPathIgnores(filepath.Dir(path), pattern, codes))
	}
	return p, nil
}

// keys are the keys that a project file may have.
var keys = []string{"check.fail-on", "check.only", "check.ignore", "check.hints", "check.per-path-ignores"}

// decoding matches the decoder's errors.
var decoding = regexp.MustCompile(`^toml: line (\d+)(?: \(last key "(.*)"\))?: (.*)$`)

// SyntaxError begins with the line of an error, and the key.
func SyntaxError(path string, err error) error {
	m := decoding.FindStringSubmatch(err.Error())
	switch {
	case m == nil:
		return fmt.Errorf("%s: %w", path, err)
	case m[2] == "":
		return fmt.Errorf("%s:%s: %s", path, m[1], m[3])
	}
	return fmt.Errorf("%s:%s: %s: %s", path, m[1], m[2], m[3])
}

// LineOf finds the line of a key; 1 if it is written in a way that is not
// understood.
func LineOf(text string, key toml.Key) int {
	name := regexp.QuoteMeta(key[len(key)-1])
	at := regexp.MustCompile(`(?m)^[^#\n]*["'.\[]?` + name + `["']?\s*[=\]]`).FindStringIndex(text)
	if at == nil {
		return 1
	}
	return 1 + strings.Count(text[:at[0]], "\n")
}

// PathIgnores are codes whose findings are ignored in some files.
type PathIgnores struct {
	dir   string // that the pattern is relative to
	files *regexp.Regexp
	codes []string
}

// isAll reports whether a code stands for all of them.
func isAll(code string) bool { return code == "*" }

// newPathIgnores reads a pattern: * is anything within a name, ** also slashes; a
// folder stands for what is in it.
func newPathIgnores(dir, pattern string, codes []string) PathIgnores {
	var b strings.Builder
	for rest := strings.Trim(filepath.ToSlash(pattern), "/"); rest != ""; {
		_, n := utf8.DecodeRuneInString(rest)
		switch {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString("(.*/)?")
			n = 3
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			n = 2
		case rest[0] == '*':
			b.WriteString("[^/]*")
		case rest[0] == '?':
			b.WriteString("[^/]")
		default:
			b.WriteString(regexp.QuoteMeta(strings.ToValidUTF8(rest[:n], "\ufffd")))
		}
		rest = rest[n:]
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return PathIgnores{dir, regexp.MustCompile("^(?s:" + b.String() + ")(/.*)?$"), codes}
}

func (p *Policy) ignoredByPath(f inspect.Finding) bool {
	for _, i := range p.Paths {
		name, err := filepath.Abs(f.Primary.File)
		if err == nil {
			name, err = filepath.Rel(i.dir, name)
		}
		if err == nil && i.files.MatchString(filepath.ToSlash(name)) && slices.ContainsFunc(i.codes, func(c string) bool { return c == f.Code || isAll(c) }) {
			return true
		}
	}
	return false
}
