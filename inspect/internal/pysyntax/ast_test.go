package pysyntax

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradtui/gradtui/internal/testing/require"
)

// dump prints, for each file on standard input, where Python's own parser sees expressions and statements:
// line and column in bytes, and the end.
const dump = `
import ast, json, sys
forms = {ast.Call: "call", ast.Attribute: "attribute", ast.Subscript: "subscript", ast.BinOp: "binary", ast.List: "list"}
simple = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return)
for path in sys.stdin.read().split():
    text = open(path, "rb").read()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        continue
    found = []
    def visit(node):
        skip = type(node) in (ast.JoinedStr, ast.arguments) or type(node).__name__ == "TemplateStr"
        if type(node) in forms:
            found.append([forms[type(node)], node.lineno, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1])
        if isinstance(node, simple):
            kind = {ast.Return: "return", ast.Assign: "=", ast.AugAssign: "+="}.get(type(node), "")
            found.append(["statement " + kind, node.lineno, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1])
        for name, value in ast.iter_fields(node):
            if skip or name in ("decorator_list", "bases", "keywords", "args", "returns", "annotation") and isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.AnnAssign)):
                continue
            if name in ("annotation", "target") and isinstance(node, (ast.comprehension, ast.For)):
                continue
            if isinstance(node, ast.withitem) and name == "optional_vars":
                continue
            if isinstance(node, (ast.Raise, ast.Assert, ast.Delete, ast.ExceptHandler)) and name != "body":
                continue
            if type(node).__name__ == "match_case" and name != "body" or type(node).__name__ == "Match" and name != "cases":
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    visit(child)
    visit(tree)
    print(json.dumps({"path": path, "found": found}))
`

// TestPartsStandWherePythonSeesThem compares hundreds of Python files of the repository.
func TestPartsStandWherePythonSeesThem(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		require.Missing(t, "python", err.Error())
	}
	var files bytes.Buffer
	for _, folder := range []string{"python", "tools", "examples", "bench/diagnosis/programs", "capture/python/testdata/programs"} {
		filepath.WalkDir(filepath.Join("..", "..", "..", filepath.FromSlash(folder)), func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && strings.HasSuffix(path, ".py") && !strings.Contains(path, " ") {
				files.WriteString(path + "\n")
			}
			return nil
		})
	}
	cmd := exec.Command(python, "-W", "ignore", "-c", dump)
	cmd.Stdin = &files
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var want struct {
			Path  string
			Found [][]any
		}
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(want.Path)
		if err != nil {
			t.Fatal(err)
		}
		src := strings.TrimPrefix(string(text), "\ufeff")
		if strings.Contains(strings.ReplaceAll(src, "\r\n", ""), "\r") {
			continue
		}
		f, err := Read(src)
		if err != nil {
			t.Errorf("%s: %v", want.Path, err)
			continue
		}
		got := f.parts()
		var all []string
		for _, w := range want.Found {
			line, _ := json.Marshal(w)
			all = append(all, string(line))
		}
		slices.Sort(all)
		slices.Sort(got)
		if diff := cmp.Diff(slices.Compact(all), slices.Compact(got)); diff != "" {
			t.Errorf("%s: (-Python +here)\n%s", want.Path, diff)
		}
		compared++
	}
	if compared < 100 {
		t.Errorf("only %d files", compared)
	}
}

// parts lists what dump lists.
func (f *File) parts() (all []string) {
	add := func(kind string, start, end int) {
		line, col := f.Place(start)
		endLine, endCol := f.Place(end)
		one, _ := json.Marshal([]any{kind, line, col, endLine, endCol})
		all = append(all, string(one))
	}
	arithmetic := []string{"+", "-", "*", "/", "//", "%", "@", "**", "|", "&", "^", "<<", ">>"}
	for _, s := range f.All {
		switch {
		case s.Keyword == "return":
			add("statement return", s.Start, s.End)
		case s.Keyword != "":
		case s.Op == "=" && s.Annotated:
		case s.Op == "=":
			add("statement =", s.Start, s.End)
		case s.Op != "":
			add("statement +=", s.Start, s.End)
		case s.Understood && s.Value != nil:
			add("statement ", s.Start, s.End)
		}
		visit := func(e *Expr) {
			switch {
			case e.Form == Call:
				add("call", e.Start, e.End)
			case e.Form == Attribute:
				add("attribute", e.Start, e.End)
			case e.Form == Subscript:
				add("subscript", e.Start, e.End)
			case e.Form == List:
				add("list", e.Start, e.End)
			case e.Form == Binary && slices.Contains(arithmetic, e.Text):
				add("binary", e.Start, e.End)
			}
		}
		if s.Keyword != "for" {
			s.Each(visit)
		} else {
			s.Value.Each(visit)
		}
	}
	return all
}
