package pytorch_test

import (
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/graph"
)

// frames are the records of the golden tests.
func frames(t testing.TB) (all [][]any) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, read(t, string(archive.Files[0].Data)))
	}
	return all
}

// FuzzFrame: whatever comes, there is a tape in good order and an error at most.
func FuzzFrame(f *testing.F) {
	for _, records := range frames(f) {
		f.Add(encode(records))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checked(t, data) })
}

// TestChangedRecordsMakeTapesInGoodOrder changes the records of the golden tests here and
// there, as no program of ours would send them.
func TestChangedRecordsMakeTapesInGoodOrder(t *testing.T) {
	all := frames(t)
	whole := 0
	for seed := range uint64(4000) {
		r := mutator{rand.New(rand.NewPCG(seed, 1)), 0}
		r.rarely = 100 << r.IntN(8)
		records := r.list(all[r.IntN(len(all))], 0)
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			if checked(t, encode(records)) == nil {
				whole++
			}
		})
		if t.Failed() {
			break
		}
	}
	if whole < 400 {
		t.Errorf("only %d of the changed lists of records were taken to their end", whole)
	}
}

func checked(t *testing.T, frame []byte) error {
	tape, err := translate(frame)
	for _, p := range graph.Validate(tape, 3) {
		t.Error(p)
	}
	return err
}

// A mutator changes records: of as many values as rarely says, a few.
type mutator struct {
	*rand.Rand
	rarely int
}

// list is a list with changes; depth is how deep inside the records it is.
func (r mutator) list(list []any, depth int) []any {
	var out []any
	for _, v := range list {
		switch n := r.IntN(4 * r.rarely); {
		case n < 3: // it is missing
		case n < 5:
			out = append(out, r.value(v, depth), v)
		case n < 7 && len(list) > 0:
			out = append(out, list[r.IntN(len(list))])
		default:
			out = append(out, r.value(v, depth))
		}
	}
	return out
}

func (r mutator) value(v any, depth int) any {
	switch x := v.(type) {
	case marshal.Tuple:
		return marshal.Tuple(r.list(x, depth+1))
	case []any:
		return r.list(x, depth+1)
	}
	if depth > 0 && r.IntN(r.rarely) == 0 {
		return strange[r.IntN(len(strange))]
	}
	return v
}

// strange are values that records seldom have where they stand.
var strange = []any{
	nil, true, 0, 1, 2, 3, 4, 5, 7, 10, -1, -2, -7, 255, 1 << 31, 1 << 62, -1 << 63, 0.5, "", "x",
	marshal.Tuple{}, marshal.Tuple{0, 0, 0}, []any{1.0}, marshal.Tuple{1, marshal.Tuple{}},
}
