package packed

import (
	"iter"
	"slices"
)

// A Sequence is a list that only grows, and whose elements never change: it takes little
// memory while it is short as well. Elements have no pointers. A Sequence serves one
// goroutine.
type Sequence[T any] struct {
	full   [][]byte // packed pages
	newest []T      // what follows them
	read   []T      // the page that was read last
	at     int      // its number + 1; 0: none was
}

// sequenceBytes is how large a page of a sequence is, if that is enough elements.
const sequenceBytes = 1 << 10

func (s *Sequence[T]) shift() int { return pageShift[T](sequenceBytes) }

// Len is the number of elements.
func (s *Sequence[T]) Len() int { return len(s.full)<<s.shift() + len(s.newest) }

// At is an element.
func (s *Sequence[T]) At(i int) T {
	shift := s.shift()
	return s.page(i >> shift)[i&(1<<shift-1)]
}

// page are the elements of a page, valid until the next one is asked for.
func (s *Sequence[T]) page(i int) []T {
	if i == len(s.full) {
		return s.newest
	}
	if s.at != i+1 {
		if s.read == nil {
			s.read = make([]T, 1<<s.shift())
		}
		expand(s.full[i], s.read)
		s.at = i + 1
	}
	return s.read
}

// Append adds an element.
func (s *Sequence[T]) Append(x T) {
	if s.newest == nil {
		mustBePlain[T]()
	}
	if s.newest = append(s.newest, x); len(s.newest) == 1<<s.shift() {
		s.full = append(s.full, squeeze(s.newest))
		s.newest = s.newest[:0]
	}
}

// All are the elements in order.
func (s *Sequence[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i := range s.Len() {
			if !yield(i, s.At(i)) {
				return
			}
		}
	}
}

// Memory is about the number of bytes that the sequence takes.
func (s *Sequence[T]) Memory() int64 {
	total := int64((cap(s.newest) + cap(s.read)) * elementBytes[T]())
	for _, p := range s.full {
		total += int64(cap(p)) + sliceBytes
	}
	return total
}

// sliceBytes is what a slice takes besides its elements.
const sliceBytes = 24

// Bytes are bytes that are added at their end, in pages that are compressed once they are
// full. They serve one goroutine.
type Bytes struct {
	full   [][]byte
	newest []byte
	read   []bytesPage // that were read, oldest first
}

type bytesPage struct {
	number int
	bytes  []byte
}

const (
	// BytesPage is how long a page is at least.
	BytesPage = 8 << 10
	// pagesRead is how many pages stay as they are after they were read.
	pagesRead = 64
)

// End is the number of the newest page, and its length.
func (b *Bytes) End() (page, length int) { return len(b.full), len(b.newest) }

// Append adds bytes, all of them to the newest page.
func (b *Bytes) Append(more ...byte) { b.newest = append(b.newest, more...) }

// Settle ends the newest page if it is long enough.
func (b *Bytes) Settle() {
	if len(b.newest) >= BytesPage {
		s := scratches.Get().(*scratch)
		b.full = append(b.full, s.compress(b.newest))
		scratches.Put(s)
		b.newest = b.newest[:0]
	}
}

// Page are the bytes of a page. They must not be changed, and are valid until more are added.
func (b *Bytes) Page(i int) []byte {
	if i == len(b.full) {
		return b.newest
	}
	n := slices.IndexFunc(b.read, func(p bytesPage) bool { return p.number == i })
	if n < 0 {
		if len(b.read) == pagesRead {
			b.read = slices.Delete(b.read, 0, 1)
		}
		b.read = append(b.read, bytesPage{i, must(decoder().DecodeAll(b.full[i], nil))})
		n = len(b.read) - 1
	}
	return b.read[n].bytes
}
