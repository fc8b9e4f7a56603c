package pytorch_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
	"golang.org/x/tools/txtar"

	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/pytorch"
	"github.com/gradtui/gradtui/graph"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestRecordsBecomeEvents translates the records in testdata/*.txtar, which are written as
// Python writes them, and compares the tapes with those beside them. An error that ends the
// recording is the last line.
func TestRecordsBecomeEvents(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tape, err := translate(encode(read(t, string(archive.Files[0].Data))))
			got := text(t, tape)
			if err != nil {
				got += fmt.Sprintln(err)
			}
			if *update {
				archive.Files = append(archive.Files[:1], txtar.File{Name: "tape", Data: []byte(got)})
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// translate puts the records of a frame on a tape.
func translate(frame []byte) (*graph.Tape, error) {
	tape := graph.NewTape(graph.Limits{Events: 1 << 17})
	_, err := pytorch.NewTranslator(tape).Frame(frame)
	return tape, err
}

func encode(v any) []byte { return marshal.Append(nil, v) }

// prelude is what the records of many tests begin with.
const prelude = `
def meta(m, *shape, strides=None, dtype="float32", size=4):
    return ("meta", m, dtype, shape, strides, "cpu", size)
def new(m, node=0, nr=0, share=-1, flags=0, view=0, offset=0):
    return ("new", m, share, node, nr, flags, view, offset)
def leaf(n, m, value=None, flags=1):
    return ("tensor", n, m, 1, flags, 1000 + n, 0, 0, None, 0, 0, value)
def t(*positions):
    return tuple([("", ("t", p)) for p in positions])
start = [("stack", 1, 0, "prog.py", "<module>", 1, 1, 1, 9), meta(0), meta(1, 2)]
add = ("signature", 1, "add", t(0, 1), (new(1),), (("AddBackward0", 0, 1, ((0, 0, 0), (0, 1, 0)), (), (("alpha", ("v", 1)),)),), (), 0)
mul = ("signature", 2, "mul", t(0, 1), (new(1),), (("MulBackward0", 0, 1, ((0, 0, 0), (0, 1, 0)), (("other", 0, 1), ("self", 0, 0)), ()),), (), 0)
total = ("signature", 3, "sum", t(0), (new(0),), (("SumBackward0", 0, 1, ((0, 0, 0),), (), (("self_sym_sizes", ("v", (2,))),)),), (), 0)
nan = float("nan")
`

// read evaluates records: the list called records.
func read(t testing.TB, source string) []any {
	t.Helper()
	options := &syntax.FileOptions{TopLevelControl: true, GlobalReassign: true}
	globals, err := starlark.ExecFileOptions(options, &starlark.Thread{}, "records", prelude+source, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, ok := plain(globals["records"]).([]any)
	if !ok {
		t.Fatal("there is no list called records")
	}
	return list
}

// plain is a value as package marshal has it.
func plain(v starlark.Value) any {
	switch x := v.(type) {
	case starlark.Bool:
		return bool(x)
	case starlark.Int:
		if n, ok := x.Int64(); ok {
			return int(n)
		}
		return x.BigInt()
	case starlark.Float:
		return float64(x)
	case starlark.String:
		return string(x)
	case starlark.Tuple:
		list := make(marshal.Tuple, len(x))
		for i := range x {
			list[i] = plain(x[i])
		}
		return list
	case *starlark.List:
		list := make([]any, x.Len())
		for i := range list {
			list[i] = plain(x.Index(i))
		}
		return list
	}
	return nil
}

var times = regexp.MustCompile(`(?m)^\+\S+ `)

// text is a tape without times. It must be a valid one.
func text(t *testing.T, tape *graph.Tape) string {
	t.Helper()
	for _, p := range graph.Validate(tape, 10) {
		t.Error(p)
	}
	var b strings.Builder
	if err := tape.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	return times.ReplaceAllString(b.String(), "")
}
