package marshal

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsAppendedIsRead(t *testing.T) {
	want := []any{nil, true, -7, 1 << 40, 0.5, "é", Tuple{}, Tuple{1, []any{2}}, [][2]any{{"a", 1}, {"b", Tuple{nil}}}}
	var data []byte
	for _, v := range want[:len(want)-1] {
		data = Append(data, v)
	}
	data = Append(data, map[string]any{"b": Tuple{nil}, "a": 1})
	var d Decoder
	d.Reset(data, Plain{})
	for _, v := range want {
		got, err := d.Value()
		if diff := cmp.Diff(v, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
	}
	if d.Rest() != 0 {
		t.Errorf("%d bytes are left", d.Rest())
	}
}

// TestAMessageWithTooManyValuesIsRefused: each takes sixteen bytes before it is known
// whether it is there.
func TestAMessageWithTooManyValuesIsRefused(t *testing.T) {
	list := make([]any, 100)
	for _, c := range []struct {
		value any
		limit int
		ok    bool
	}{
		{list, 100, true}, {list, 99, false},
		{[]any{list, list}, 202, true}, {[]any{list, list}, 201, false},
		{map[string]any{"a": 1, "b": 2}, 4, true}, {map[string]any{"a": 1, "b": 2}, 3, false},
	} {
		var d Decoder
		d.Reset(Append(nil, c.value), Plain{})
		d.Limit(c.limit)
		if _, err := d.Value(); err == nil != c.ok || err != nil && !errors.Is(err, ErrFormat) {
			t.Errorf("%d values at most: %v", c.limit, err)
		}
	}
}
