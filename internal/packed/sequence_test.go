package packed

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A sequence is a slice, in whatever order it is read while it grows.
func TestASequenceIsASlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Sequence[element]
		var want []element
		for range rapid.IntRange(1, 6).Draw(t, "times") {
			for range rapid.IntRange(0, 2*leastElements).Draw(t, "more") {
				x := element{uint32(len(want) * 3), -int64(len(want)), len(want)%7 == 0, uint8(len(want))}
				s.Append(x)
				want = append(want, x)
			}
			if s.Len() != len(want) {
				t.Fatalf("%d elements, want %d", s.Len(), len(want))
			}
			if len(want) > 0 {
				i := rapid.IntRange(0, len(want)-1).Draw(t, "where")
				if got := s.At(i); got != want[i] {
					t.Fatalf("element %d is %v, want %v", i, got, want[i])
				}
			}
			for i, x := range s.All() {
				if x != want[i] {
					t.Fatalf("element %d of all is %v, want %v", i, x, want[i])
				}
			}
		}
	})
}

// Short ones take no more than slices, long ones a part of it.
func TestASequenceTakesLittleMemory(t *testing.T) {
	var s Sequence[[4]uint32]
	for i := range uint32(10) {
		s.Append([4]uint32{i})
	}
	if got := s.Memory(); got > 16*16 {
		t.Errorf("%d bytes for ten elements", got)
	}
	const n = 100_000
	for i := range uint32(n) {
		s.Append([4]uint32{i * 100, i % 5, i / 5, i % 3})
	}
	if got := s.Memory() / n; got > 2 {
		t.Errorf("%d bytes an element", got)
	}
}

// What was added at once is together on a page.
func TestBytesAreWhatWasAdded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Bytes
		type part struct {
			page, from int
			bytes      []byte
		}
		var parts []part
		for i := range rapid.IntRange(1, 30).Draw(t, "parts") {
			p := part{bytes: bytes.Repeat([]byte{byte(i), 1, 2}, rapid.IntRange(0, BytesPage/2).Draw(t, "length"))}
			b.Settle()
			p.page, p.from = b.End()
			b.Append(p.bytes...)
			parts = append(parts, p)
		}
		for range 2 * pagesRead {
			p := rapid.SampledFrom(parts).Draw(t, "part")
			if got := b.Page(p.page)[p.from:][:len(p.bytes)]; !slices.Equal(got, p.bytes) {
				t.Fatalf("page %d from %d is other than what was added", p.page, p.from)
			}
		}
	})
}
