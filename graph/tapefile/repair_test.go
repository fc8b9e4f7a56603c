package tapefile

import (
	"bytes"
	"encoding/binary"

	"github.com/gradtui/gradtui/graph"
)

// Repair makes the checksums of a damaged file right, as far as it looks like a
// tape file, so that a fuzzer gets past them.
func Repair(data []byte) []byte {
	le := binary.LittleEndian
	b := bytes.Clone(data)
	if len(b) < headerSize {
		return b
	}
	copy(b, magic)
	le.PutUint16(b[8:], Major)
	info := min(int(le.Uint32(b[12:])), maxInfo, len(b)-headerSize)
	le.PutUint32(b[12:], uint32(info))
	le.PutUint32(b[16:], checksum(b[:16], b[headerSize:headerSize+info]))
	rest := b[headerSize+info:]
	offset, next := headerSize+info, uint64(0)
	for len(rest) >= frameSize && string(rest[:4]) == blockMagic {
		size := int(le.Uint16(rest[4:]))
		if size < frameSize || size > len(rest) {
			size = frameSize
		}
		compressed := min(int(le.Uint32(rest[8:])), len(rest)-size)
		le.PutUint16(rest[4:], uint16(size))
		rest[6] = zstdFrames
		le.PutUint32(rest[8:], uint32(compressed))
		le.PutUint32(rest[12:], min(le.Uint32(rest[12:]), graph.MaxBlockSize))
		le.PutUint32(rest[20:], checksum(rest[size:size+compressed]))
		le.PutUint64(rest[24:], next)
		le.PutUint32(rest[size-4:], checksum(rest[:size-4]))
		next += uint64(le.Uint32(rest[16:]))
		rest, offset = rest[size+compressed:], offset+size+compressed
	}
	if len(rest) >= indexHeader+trailerSize && string(rest[:4]) == indexMagic {
		entries, trailer := rest[indexHeader:len(rest)-trailerSize], rest[len(rest)-trailerSize:]
		le.PutUint32(rest[12:], checksum(rest[:12], entries))
		le.PutUint64(trailer, uint64(offset))
		le.PutUint32(trailer[8:], checksum(trailer[:8]))
		copy(trailer[12:], trailerMagic)
	}
	return b
}
