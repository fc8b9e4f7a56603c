package policy

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/inspect"
)

func TestCommentsBelongToTheirStatements(t *testing.T) {
	source := strings.Split(`x = 1  # gradtui: ignore
y = f(
    a,  # gradtui: ignore[nan-grad]
    "# gradtui: ignore in a string",
)
s = """
# gradtui: ignore in a long string
it\'s """ + t  # gradtui: ignore[ a , b ]
z = \
    2  # why  # gradtui:ignore []
w = 3  # gradtui: ignored by chance
v = 4  # gradtui: ignore[open
u = {  # gradtui: ignore`, "\n")
	type found struct {
		Line, First, Last int
		Codes             []string
	}
	var got []found
	for _, c := range comments("a.py", source) {
		got = append(got, found{c.line, c.first, c.last, c.codes})
	}
	want := []found{
		{1, 1, 1, nil},
		{3, 2, 5, []string{"nan-grad"}},
		{8, 6, 8, []string{"a", "b"}},
		{10, 9, 10, []string{""}},
		{12, 12, 12, []string{"[open"}},
		{13, 13, 13, nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCommentsOfGoPrograms(t *testing.T) {
	source := strings.Split("func f() {\n\ts := `// gradtui: ignore`\n\tw.Add_(1) // gradtui: ignore[leaf-inplace]\n\tx := \"it's\" # gradtui: ignore\n}", "\n")
	got := comments("main.go", source)
	if len(got) != 1 || got[0].line != 3 || got[0].first != 3 || got[0].last != 3 {
		t.Errorf("%+v", got)
	}
}

func TestPatternsOfPaths(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		pattern, file string
		want          bool
	}{
		{"a.py", "a.py", true},
		{"a.py", "b/a.py", false},
		{"*.py", "b/a.py", false},
		{"**/*.py", "b/c/a.py", true},
		{"**/*.py", "a.py", true},
		{"tests", "tests/deep/a.py", true},
		{"tests/", "tests/a.py", true},
		{"tests", "tests.py", false},
		{"te?ts/*.py", "tests/a.py", true},
		{"名前/*", "名前/a.py", true},
		{"a.py", "../a.py", false},
		{"x+(y)[z]", "x+(y)[z]", true},
	} {
		p := Policy{Paths: []PathIgnores{newPathIgnores(dir, c.pattern, []string{"*"})}}
		f := inspect.Finding{Code: "any", Primary: inspect.Span{Frame: graph.Frame{File: filepath.Join(dir, c.file), Line: 1}}}
		if got := p.ignoredByPath(f); got != c.want {
			t.Errorf("%s for %s: %v", c.pattern, c.file, got)
		}
	}
}

func TestTheProjectFileIsThatOfTheRepository(t *testing.T) {
	root := t.TempDir()
	inner := filepath.Join(root, "repository", "inner")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	outside, inside := filepath.Join(root, FileName), filepath.Join(root, "repository", FileName)
	write := func(path string) {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	find := func(want string) {
		t.Helper()
		if got, err := FindFile(inner); got != want || err != nil {
			t.Errorf("found %q, %v, want %q", got, err, want)
		}
	}
	write(outside)
	find(outside)
	if err := os.Mkdir(filepath.Join(root, "repository", ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	find("")
	write(inside)
	find(inside)
}

func TestAProjectFileOfAnotherUserIsNotUsed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no mode there")
	}
	const other = 54321
	give := func(path string) error { return os.Chown(path, other, other) }
	open := func(path string) error { return os.Chmod(path, 0o777) }
	for name, c := range map[string]struct {
		root       bool // only root can do it
		repository bool
		at         string // where the file is, seen from outer/inner
		spoil      func(outer, file string) error
		want       string // what the error says; "": the file is not looked for
	}{
		"others may write to it":                     {false, false, ".", func(_, file string) error { return open(file) }, "others may write to"},
		"others may write to it in the repository":   {false, true, "..", func(_, file string) error { return open(file) }, "others may write to"},
		"others may write to the folder above":       {false, false, "..", func(outer, _ string) error { return open(outer) }, ""},
		"others may write to what has .git":          {false, true, "..", func(outer, _ string) error { return open(outer) }, ""},
		"it is another user's":                       {true, false, ".", func(_, file string) error { return give(file) }, "belongs to another user (54321)"},
		"it is another user's in the repository":     {true, true, "..", func(_, file string) error { return give(file) }, "belongs to another user (54321)"},
		"the folder above is another user's":         {true, false, "..", func(outer, _ string) error { return give(outer) }, ""},
		"the folder that has .git is another user's": {true, true, "..", func(outer, _ string) error { return give(outer) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if c.root && os.Geteuid() != 0 {
				t.Skip("only root can give files away")
			}
			outer := filepath.Join(t.TempDir(), "outer")
			inner := filepath.Join(outer, "inner")
			file := filepath.Join(inner, c.at, FileName)
			err := errors.Join(os.MkdirAll(inner, 0o700), os.WriteFile(file, nil, 0o600))
			if c.repository {
				err = errors.Join(err, os.Mkdir(filepath.Join(outer, ".git"), 0o700))
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, err := FindFile(inner); got != file || err != nil {
				t.Fatalf("found %q, %v", got, err)
			}
			if err := c.spoil(outer, file); err != nil {
				t.Fatal(err)
			}
			got, err := FindFile(inner)
			if got != "" || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("found %q, %v, want an error that says %q", got, err, c.want)
			}
		})
	}
}
