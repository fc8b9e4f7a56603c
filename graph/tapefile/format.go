package tapefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"
	"strconv"
	"time"

	"github.com/gradtui/gradtui/graph"
)

// The version of the format. A reader refuses a newer major version; a newer
// minor one only adds what older readers skip. Version 1 had no norms and no zeros in values.
const (
	Major = 2
	Minor = 0
)

// The errors of this package, besides those of the file system.
var (
	// ErrNotTape: the file is not a tape.
	ErrNotTape = errors.New("not a tape")
	// ErrVersion: a newer version wrote the tape in a form that this one cannot read.
	ErrVersion = errors.New("the tape was written by a newer version")
	// ErrHeader: the file begins as a tape does, but its header is cut off or
	// damaged.
	ErrHeader = errors.New("damaged header")
	// ErrDamaged: a block is damaged. What comes before it has been read.
	ErrDamaged = errors.New("damaged tape")
	// ErrTooLarge: the tape does not fit into the memory that it may take. The
	// beginning has been read.
	ErrTooLarge = errors.New("the tape is too large")
	// ErrLost: a file that was being followed is not there any more. What was read
	// from it stays.
	ErrLost = errors.New("the tape's file is gone")
)

// newer refuses a tape of a newer version.
func newer(version string) error {
	return fmt.Errorf("%w: it has the format %.20s, this one reads up to %d.x; update gradtui to open it", ErrVersion, version, Major)
}

// The layout of a file; numbers are little-endian.
//
//	header:  magic, major u16, minor u16, length of info u32, checksum u32, info
//	block:   blockMagic, header (below), zstd frame
//	index:   indexMagic, size of an entry u16, zero u16, number of entries u32,
//	         checksum u32, an entry for each block
//	trailer: offset of the index u64, checksum u32, trailerMagic
//
// Checksums are CRC-32C. They cover the bytes before them in the same part; the
// checksums of the header and of the index also cover what follows.
const (
	magic        = "\x89GTAPE\r\n"
	blockMagic   = "GTBK"
	indexMagic   = "GTIX"
	trailerMagic = "GTND"

	headerSize  = 8 + 2 + 2 + 4 + 4
	indexHeader = 4 + 2 + 2 + 4 + 4
	entrySize   = 8 + 4 + 4 + 8 + 8 + 8 + 32
	trailerSize = 8 + 4 + 4

	maxInfo = 1 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(parts ...[]byte) (sum uint32) {
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli, p)
	}
	return sum
}

// encodeHeader writes the header of a file.
func encodeHeader(info graph.Info) ([]byte, error) {
	record := encodeInfo(info)
	if len(record) > maxInfo {
		return nil, fmt.Errorf("the program's arguments take %d bytes, more than %d", len(record), maxInfo)
	}
	b := append(make([]byte, 0, headerSize+len(record)), magic...)
	b = binary.LittleEndian.AppendUint16(b, Major)
	b = binary.LittleEndian.AppendUint16(b, Minor)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(record)))
	b = binary.LittleEndian.AppendUint32(b, checksum(b, record))
	return append(b, record...), nil
}

// The info describes itself: it is a list of keys and values, each a length
// (uvarint) and that many bytes. A key may occur several times. Readers skip
// keys that they do not know.
const (
	keyEngine  = "engine"
	keyProgram = "program"
	keyArg     = "arg"
	keyRank    = "rank"       // of a distributed program
	keySize    = "world_size" // likewise
)

// list gives the keys and values that say where a tape comes from.
func list(info graph.Info, put func(key, value string)) {
	put(keyEngine, info.Engine)
	put(keyProgram, info.Program)
	for _, arg := range info.Args {
		put(keyArg, arg)
	}
	if info.WorldSize > 0 {
		put(keyRank, strconv.Itoa(info.Rank))
		put(keySize, strconv.Itoa(info.WorldSize))
	}
}

// learn takes a key and its value.
func learn(info *graph.Info, key, value string) {
	switch key {
	case keyEngine:
		info.Engine = value
	case keyProgram:
		info.Program = value
	case keyArg:
		info.Args = append(info.Args, value)
	case keyRank:
		info.Rank = atLeastZero(value)
	case keySize:
		info.WorldSize = atLeastZero(value)
	}
}

// atLeastZero reads a number, which is 0 if it is none.
func atLeastZero(text string) int {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0
	}
	return int(max(n, 0))
}

func encodeInfo(info graph.Info) []byte {
	var b []byte
	list(info, func(key, value string) {
		for _, s := range []string{key, value} {
			b = binary.AppendUvarint(b, uint64(len(s)))
			b = append(b, s...)
		}
	})
	return b
}

func decodeInfo(b []byte) (info graph.Info, err error) {
	next := func() string {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > uint64(len(b)-size) {
			err = fmt.Errorf("%w: malformed info", ErrHeader)
			b = nil
			return ""
		}
		s := string(b[size : size+int(n)])
		b = b[size+int(n):]
		return s
	}
	for len(b) > 0 {
		key, value := next(), next()
		learn(&info, key, value)
	}
	return info, err
}

// A Block describes a block of a file.
type Block struct {
	Offset int64 // of its header in the file
	Size   int   // in the file, header included
	First  graph.Pos
	Events int
	Start  time.Duration // of its first event
	End    time.Duration // of its last event
	Kinds  KindSet
}

// A KindSet says which kinds of events occur.
type KindSet [4]uint64

// Add adds a kind.
func (s *KindSet) Add(k graph.Kind) { s[k/64] |= 1 << (k % 64) }

// Has reports whether a kind occurs.
func (s *KindSet) Has(k graph.Kind) bool { return s[k/64]&(1<<(k%64)) != 0 }

// Len is the number of kinds that occur.
func (s *KindSet) Len() int {
	return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) + bits.OnesCount64(s[2]) + bits.OnesCount64(s[3])
}

// A frame is the header of a block:
//
//	magic, size of this header u16, compression u8, zero u8,
//	compressed length u32, raw length u32, events u32, checksum of the compressed bytes u32,
//	first event u64, times of the first and last event i64 each, kinds 32 bytes,
//	whatever a later minor version adds, checksum of all the bytes before u32
type frame struct {
	size       int // of the header
	compressed int
	raw        int
	sum        uint32
	Block
}

const (
	frameSize    = 4 + 2 + 1 + 1 + 4 + 4 + 4 + 4 + 8 + 8 + 8 + 32 + 4
	maxFrameSize = 4096
	zstdFrames   = 1 // the only compression so far
)

func (f *frame) append(b []byte) []byte {
	start := len(b)
	b = append(b, blockMagic...)
	b = binary.LittleEndian.AppendUint16(b, frameSize)
	b = append(b, zstdFrames, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(f.compressed))
	b = binary.LittleEndian.AppendUint32(b, uint32(f.raw))
	b = binary.LittleEndian.AppendUint32(b, uint32(f.Events))
	b = binary.LittleEndian.AppendUint32(b, f.sum)
	b = binary.LittleEndian.AppendUint64(b, uint64(f.First))
	b = binary.LittleEndian.AppendUint64(b, uint64(f.Start))
	b = binary.LittleEndian.AppendUint64(b, uint64(f.End))
	for _, k := range f.Kinds {
		b = binary.LittleEndian.AppendUint64(b, k)
	}
	return binary.LittleEndian.AppendUint32(b, checksum(b[start:]))
}

// parseFrame reads the header of a block at an offset of the file. It needs more
// bytes if the header is larger than b.
func parseFrame(b []byte, offset int64) (f frame, more int, err error) {
	u32 := func(i int) int { return int(binary.LittleEndian.Uint32(b[i:])) }
	u64 := func(i int) int64 { return int64(binary.LittleEndian.Uint64(b[i:])) }
	if f.size = int(binary.LittleEndian.Uint16(b[4:])); f.size < frameSize || f.size > maxFrameSize {
		return f, 0, fmt.Errorf("a block's header of %d bytes", f.size)
	}
	if len(b) < f.size {
		return f, f.size, nil
	}
	if uint32(u32(f.size-4)) != checksum(b[:f.size-4]) {
		return f, 0, errors.New("the checksum of a block's header does not match")
	}
	if b[6] != zstdFrames {
		return f, 0, fmt.Errorf("unknown compression %d", b[6])
	}
	f.compressed, f.raw, f.Events, f.sum = u32(8), u32(12), u32(16), uint32(u32(20))
	f.First, f.Start, f.End = graph.Pos(u64(24)), time.Duration(u64(32)), time.Duration(u64(40))
	for i := range f.Kinds {
		f.Kinds[i] = uint64(u64(48 + 8*i))
	}
	f.Offset, f.Size = offset, f.size+f.compressed
	switch {
	case min(f.raw, f.compressed, f.Events) < 0: // where an int has 32 bits
		err = errors.New("a block of negative size")
	case f.raw > graph.MaxBlockSize:
		err = fmt.Errorf("a block of %d bytes, more than %d", f.raw, graph.MaxBlockSize)
	case f.compressed > f.raw+f.raw/128+1024:
		err = fmt.Errorf("a block of %d bytes takes %d when compressed", f.raw, f.compressed)
	case f.Events > f.raw:
		err = fmt.Errorf("%d events in a block of %d bytes", f.Events, f.raw)
	}
	return f, 0, err
}

// appendIndex writes the index of a file and the trailer that leads to it.
func appendIndex(b []byte, offset int64, blocks []Block) []byte {
	var entries []byte
	for _, k := range blocks {
		entries = binary.LittleEndian.AppendUint64(entries, uint64(k.Offset))
		entries = binary.LittleEndian.AppendUint32(entries, uint32(k.Size))
		entries = binary.LittleEndian.AppendUint32(entries, uint32(k.Events))
		entries = binary.LittleEndian.AppendUint64(entries, uint64(k.First))
		entries = binary.LittleEndian.AppendUint64(entries, uint64(k.Start))
		entries = binary.LittleEndian.AppendUint64(entries, uint64(k.End))
		for _, kinds := range k.Kinds {
			entries = binary.LittleEndian.AppendUint64(entries, kinds)
		}
	}
	head := append(make([]byte, 0, indexHeader), indexMagic...)
	head = binary.LittleEndian.AppendUint32(head, entrySize)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(blocks)))
	b = append(b, head...)
	b = binary.LittleEndian.AppendUint32(b, checksum(head, entries))
	b = append(b, entries...)
	trailer := binary.LittleEndian.AppendUint64(nil, uint64(offset))
	b = append(b, trailer...)
	b = binary.LittleEndian.AppendUint32(b, checksum(trailer))
	return append(b, trailerMagic...)
}

// parseEntry reads an entry of the index.
func parseEntry(b []byte) Block {
	u64 := func(i int) int64 { return int64(binary.LittleEndian.Uint64(b[i:])) }
	k := Block{
		Offset: u64(0), Size: int(binary.LittleEndian.Uint32(b[8:])), Events: int(binary.LittleEndian.Uint32(b[12:])),
		First: graph.Pos(u64(16)), Start: time.Duration(u64(24)), End: time.Duration(u64(32)),
	}
	for i := range k.Kinds {
		k.Kinds[i] = uint64(u64(40 + 8*i))
	}
	return k
}

// parseTrailer finds the offset of the index.
func parseTrailer(b []byte) (int64, error) {
	if string(b[12:]) != trailerMagic || binary.LittleEndian.Uint32(b[8:]) != checksum(b[:8]) {
		return 0, errors.New("no index")
	}
	return int64(binary.LittleEndian.Uint64(b)), nil
}
