package tapefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/gradtui/gradtui/graph"
)

// file puts a tape file together from parts that other versions, or none, would
// write.
type file struct{ bytes.Buffer }

func newFile(major, minor uint16, info []byte) *file {
	b := append([]byte(nil), magic...)
	b = binary.LittleEndian.AppendUint16(b, major)
	b = binary.LittleEndian.AppendUint16(b, minor)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(info)))
	b = binary.LittleEndian.AppendUint32(b, checksum(b, info))
	f := new(file)
	f.Write(append(b, info...))
	return f
}

// block adds a block whose header has more fields than this version knows.
func (f *file) block(k frame, compressed, more []byte) {
	k.compressed, k.sum = len(compressed), checksum(compressed)
	b := k.append(nil)
	b = append(b[:len(b)-4], more...)
	binary.LittleEndian.PutUint16(b[4:], uint16(len(b)+4))
	b = binary.LittleEndian.AppendUint32(b, checksum(b))
	f.Write(append(b, compressed...))
}

func (f *file) open(o Options) (*graph.Tape, *Report, error) {
	return Read(bytes.NewReader(f.Bytes()), int64(f.Len()), o)
}

func compress(t testing.TB, raw []byte) []byte {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll(raw, nil)
}

func oneBlock(t testing.TB) (raw []byte, k frame) {
	tape := graph.NewTape(graph.Limits{})
	tape.Append(graph.Header{}, &graph.Iteration{Number: 7})
	raw, n, err := tape.NewExporter().AppendBlock(nil, 10)
	if err != nil {
		t.Fatal(err)
	}
	return raw, frame{raw: len(raw), Block: Block{Events: n}}
}

func TestANewerMajorVersionIsRefused(t *testing.T) {
	_, _, err := newFile(3, 5, nil).open(Options{})
	if !errors.Is(err, ErrVersion) {
		t.Fatal(err)
	}
	const want = "the tape was written by a newer version: it has the format 3.5, this one reads up to 2.x; update gradtui to open it"
	if err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestANewerMinorVersionIsRead(t *testing.T) {
	info := encodeInfo(graph.Info{Engine: "builtin", Args: []string{"a"}})
	info = append(info, "\x05color\x03red"...)
	raw, k := oneBlock(t)
	raw = append(raw, "new part"...)
	k.raw = len(raw)
	f := newFile(1, 9, info)
	f.block(k, compress(t, raw), []byte("new field"))
	tape, report, err := f.open(Options{})
	if err != nil || report.Minor != 9 || report.Damage != nil || tape.Len() != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	if got := tape.Info(); got.Engine != "builtin" || len(got.Args) != 1 {
		t.Errorf("%+v", got)
	}
}

// A small file that would fill the memory when it is unpacked.
func TestABombIsDefused(t *testing.T) {
	bomb := compress(t, make([]byte, 1<<28))
	f := newFile(1, 0, nil)
	f.block(frame{raw: 1 << 28}, bomb, nil)
	g := newFile(1, 0, nil)
	g.block(frame{raw: 1 << 20}, bomb, nil)
	for _, f := range []*file{f, g} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, report, err := f.open(Options{})
		runtime.ReadMemStats(&after)
		if err != nil || !errors.Is(report.Damage, ErrDamaged) {
			t.Errorf("%+v, %v", report, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
			t.Errorf("%d MB were allocated", grown>>20)
		}
	}
}

// Blocks that hold nothing cost time to unpack; their number is bounded as well.
func TestManyBlocksWithoutEventsAreRefused(t *testing.T) {
	raw, k := oneBlock(t)
	raw = append(raw[:0], 0, 1, 0, 1, 0, 0, 0) // no strings, stacks or events
	k.Events = 0
	raw = append(raw, make([]byte, 1<<20)...)
	k.raw = len(raw)
	compressed := compress(t, raw)
	f := newFile(1, 0, nil)
	for range 40 {
		f.block(k, compressed, nil)
	}
	_, _, err := f.open(Options{MaxBytes: 30 << 20})
	if !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}

func TestMalformedBlocksAreDamage(t *testing.T) {
	raw, k := oneBlock(t)
	good := compress(t, raw)
	with := func(change func(*frame)) frame {
		k := k
		change(&k)
		return k
	}
	for name, f := range map[string]struct {
		k    frame
		data []byte
		want string
	}{
		"number of events": {with(func(k *frame) { k.Events = 2 }), good, "a block of 2 events has 1"},
		"too many events":  {with(func(k *frame) { k.Events = 1e6 }), good, "events in a block of"},
		"length":           {with(func(k *frame) { k.raw++ }), good, "bytes has"},
		"too large":        {with(func(k *frame) { k.raw = graph.MaxBlockSize + 1 }), good, "more than 16777216"},
		"compression":      {k, []byte("no zstd frame"), "magic"},
		"too little":       {k, make([]byte, 3000), "when compressed"},
		"content":          {with(func(k *frame) { k.raw = 5 }), compress(t, []byte("block")), "damaged block"},
		"order":            {with(func(k *frame) { k.First = 5 }), good, "event 0 expected"},
	} {
		file := newFile(1, 0, nil)
		file.block(f.k, f.data, nil)
		tape, report, err := file.open(Options{})
		if err != nil || tape == nil || !errors.Is(report.Damage, ErrDamaged) || !strings.Contains(report.Damage.Error(), f.want) {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
	}
}

func TestAnInfoWithTruncatedValuesIsRefused(t *testing.T) {
	for _, info := range []string{"\x06engine", "\x06engine\x09built", "\x06eng", "\xff"} {
		if _, _, err := newFile(1, 0, []byte(info)).open(Options{}); !errors.Is(err, ErrHeader) {
			t.Errorf("%q: %v", info, err)
		}
	}
}
