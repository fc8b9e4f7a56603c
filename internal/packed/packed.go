// Package packed keeps long lists in little memory. What happened long ago is looked at
// rarely, and looks much like what happened before and after it: a [List] compresses
// the pages that were not used for a while, and unpacks them on demand.
package packed

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/klauspost/compress/zstd"
)

// A List is a list of elements without pointers. Its elements stay where they are when
// it grows. A List serves one goroutine.
type List[T any] struct {
	pages []*page[T]
	len   int
	age   uint64 // of the pages that no snapshot has

	shift int        // a page has 1 << shift elements
	ready []*page[T] // that have items, oldest first
	limit int        // how many of them there are to be, 2 or more; 0: the default
}

const (
	// unpackedBytes is how much of a list stays as it is.
	unpackedBytes = 1 << 20
	// A page has the largest power of two of elements that fit into pageBytes, and at least
	// leastElements: short pages of small elements would hardly get smaller.
	pageBytes     = 8 << 10
	leastElements = 256
)

// pageShift is the binary logarithm of the number of elements of a page.
func pageShift[T any](most int) int {
	return bits.Len(uint(max(most/elementBytes[T](), leastElements))) - 1
}

// elementBytes is the size of an element.
func elementBytes[T any]() int {
	var zero T
	return max(int(unsafe.Sizeof(zero)), 1)
}

// A page has items, or is packed, or both. Snapshots share it: then its content
// never changes.
type page[T any] struct {
	items  []T    // nil: they are packed
	packed []byte // nil: it was changed since, or never packed
	age    uint64
}

// ages gives each list another age whenever it shares its pages.
var ages atomic.Uint64

// Len is the number of elements.
func (l *List[T]) Len() int { return l.len }

// At returns an element for reading. It may be looked at until the list is changed.
func (l *List[T]) At(i int) *T {
	p := l.pages[i>>l.shift]
	if p.items == nil {
		l.unpack(p)
		l.Settle() // which leaves the newest ones
	}
	return &p.items[i&(1<<l.shift-1)]
}

// Change returns an element for writing. It may be written to until the next call of
// Settle or At.
func (l *List[T]) Change(i int) *T {
	p := l.pages[i>>l.shift]
	if p.items == nil {
		l.unpack(p)
	}
	if p.age != l.age {
		p = &page[T]{items: slices.Clone(p.items), age: l.age}
		l.pages[i>>l.shift] = p
		l.ready = append(l.ready, p)
	}
	p.packed = nil
	return &p.items[i&(1<<l.shift-1)]
}

// Push appends an element.
func (l *List[T]) Push(x T) {
	if l.len == 0 {
		mustBePlain[T]()
		l.shift = pageShift[T](pageBytes)
	}
	if l.len == len(l.pages)<<l.shift {
		p := &page[T]{items: make([]T, 1<<l.shift), age: l.age}
		l.pages = append(l.pages, p)
		l.ready = append(l.ready, p)
	}
	l.len++
	*l.Change(l.len - 1) = x
}

// Pop removes the newest element; one empty page is kept for the next Push.
func (l *List[T]) Pop() {
	l.len--
	if n := l.full() + 1; n < len(l.pages) {
		l.cut(n)
	}
}

// full is how many pages the elements take.
func (l *List[T]) full() int { return (l.len + 1<<l.shift - 1) >> l.shift }

// cut forgets the pages from the n-th on.
func (l *List[T]) cut(n int) {
	for _, p := range l.pages[n:] {
		if p.age == l.age {
			if i := slices.Index(l.ready, p); i >= 0 {
				l.ready = slices.Delete(l.ready, i, i+1)
			}
		}
	}
	clear(l.pages[n:])
	l.pages = l.pages[:n]
}

// Keep sets how many pages stay unpacked, at least two, instead of a number that suits most
// lists.
func (l *List[T]) Keep(pages int) { l.limit = max(pages, 2) }

// Settle packs what is beyond the memory that the list may take. It costs nothing where
// nothing is.
func (l *List[T]) Settle() {
	if len(l.ready) > l.pagesReady() {
		l.pack()
	}
}

// pagesReady is how many pages the list may have ready.
func (l *List[T]) pagesReady() int {
	if l.limit != 0 {
		return l.limit
	}
	return max(unpackedBytes/l.pageSize(), 2)
}

// pageSize is how many bytes a page takes.
func (l *List[T]) pageSize() int {
	return elementBytes[T]() << l.shift
}

func (l *List[T]) pack() {
	most := l.pagesReady()
	n := max(len(l.ready)-most, min(most/16+1, len(l.ready))) // some more, to be called less often
	for _, p := range l.ready[:n] {
		if p.packed == nil {
			p.packed = squeeze(p.items)
		}
		p.items = nil
	}
	l.ready = slices.Delete(l.ready, 0, n)
}

func (l *List[T]) unpack(p *page[T]) {
	p.items = make([]T, 1<<l.shift)
	expand(p.packed, p.items)
	l.ready = append(l.ready, p)
}

// A Snapshot is what a list was at some moment.
type Snapshot[T any] struct {
	pages []*page[T]
	len   int
}

// Snapshot notes what the list is now. That costs a few bytes a page, besides the pages
// that change later.
func (l *List[T]) Snapshot() Snapshot[T] {
	l.age = ages.Add(1)
	return Snapshot[T]{slices.Clone(l.pages[:l.full()]), l.len}
}

// Restore makes the list what it was, or another one that the same goroutine serves,
// when it made the snapshot.
func (l *List[T]) Restore(s Snapshot[T]) {
	l.age = ages.Add(1)
	l.pages, l.len, l.shift = append(l.pages[:0], s.pages...), s.len, pageShift[T](pageBytes)
	clear(l.pages[len(l.pages):cap(l.pages)])
}

// Memory is about the number of bytes that the list takes, without its snapshots.
func (l *List[T]) Memory() int64 {
	total := int64(len(l.ready) * l.pageSize())
	for _, p := range l.pages {
		total += int64(cap(p.packed)) + 48
	}
	return total
}

var encoder = sync.OnceValue(func() *zstd.Encoder {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false), zstd.WithWindowSize(64<<10), zstd.WithLowerEncoderMem(true))
	return must(z, err)
})

var decoder = sync.OnceValue(func() *zstd.Decoder {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	return must(z, err)
})

// must is for what only a mistake in this package makes fail.
func must[T any](x T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("packed: %v", err))
	}
	return x
}

// words are the memory of a page.
func words[T any](items []T) []uint32 {
	size := int(unsafe.Sizeof(items[0])) * len(items)
	return unsafe.Slice((*uint32)(unsafe.Pointer(&items[0])), size/4)
}

// scratch is memory for what is only needed while a page is packed or unpacked.
type scratch struct{ raw, packed []byte }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// squeeze compresses a page: the differences of each element to the one before it, word
// by word, which are small and repeat themselves.
func squeeze[T any](items []T) []byte {
	list := words(items)
	width := len(list) / len(items)
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	raw := s.raw[:0]
	for column := range width {
		last := uint32(0)
		for i := column; i < len(list); i += width {
			raw = binary.AppendVarint(raw, int64(int32(list[i]-last)))
			last = list[i]
		}
	}
	s.raw = raw
	return s.compress(raw)
}

// compress returns compressed bytes, and takes no more memory than they do.
func (s *scratch) compress(raw []byte) []byte {
	s.packed = encoder().EncodeAll(raw, s.packed[:0])
	return bytes.Clone(s.packed)
}

// expand fills items with those that were squeezed.
func expand[T any](packed []byte, items []T) {
	list := words(items)
	width := len(list) / len(items)
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	raw := must(decoder().DecodeAll(packed, s.raw[:0]))
	s.raw = raw
	for column := range width {
		last := uint32(0)
		for i := column; i < len(list); i += width {
			d, n := binary.Varint(raw)
			raw = raw[n:]
			last += uint32(int32(d))
			list[i] = last
		}
	}
}

// mustBePlain panics for elements that cannot be packed.
func mustBePlain[T any]() {
	if !plain(reflect.TypeFor[T]()) {
		panic("packed: elements with pointers, or of less than a word")
	}
}

// plain reports whether a type has no pointers and consists of whole words.
func plain(t reflect.Type) bool { return t.Size()%4 == 0 && t.Size() > 0 && pointerless(t) }

func pointerless(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if !pointerless(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Array:
		return pointerless(t.Elem())
	}
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128
}
