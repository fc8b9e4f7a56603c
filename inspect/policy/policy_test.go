package policy

import (
	"os"
	"path/filepath"
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
	if err := os.MkdirAll(inner, 0o777); err != nil {
		t.Fatal(err)
	}
	outside, inside := filepath.Join(root, FileName), filepath.Join(root, "repository", FileName)
	write := func(path string) {
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	find := func(want string) {
		t.Helper()
		if got := FindFile(inner); got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}
	write(outside)
	find(outside)
	if err := os.Mkdir(filepath.Join(root, "repository", ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	find("")
	write(inside)
	find(inside)
}
