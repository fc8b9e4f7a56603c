package tapetest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/gradtui/gradtui/graph"
)

// Mutated is a tape with a few things wrong: numbers, order, missing and repeated events, or any
// bytes of the encoded events. What cannot be read is left out.
func Mutated(r *rand.Rand, tape *graph.Tape) *graph.Tape {
	damaged := graph.NewTape(graph.Limits{Bytes: 1 << 22})
	damaged.SetInfo(tape.Info())
	if r.IntN(2) == 0 {
		var text bytes.Buffer
		if tape.WriteText(&text) == nil {
			damaged.ReadText(strings.NewReader(mutateLines(r, text.String())))
		}
		return damaged
	}
	x, im := tape.NewExporter(), damaged.NewImporter()
	all := 1 + int(tape.Len())
	for size := 1 + r.IntN(all); ; {
		block, n, _ := x.AppendBlock(nil, size)
		if n == 0 {
			return damaged
		}
		if r.IntN(2+all/size) == 0 {
			block = mutateBytes(r, block)
		}
		if _, err := im.Append(block); err != nil {
			return damaged
		}
	}
}

// some is how many mutations there are: mostly one.
func some(r *rand.Rand) int { return []int{1, 1, 1, 2, 4, 16}[r.IntN(6)] }

func mutateBytes(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range some(r) {
		if len(b) == 0 {
			return b
		}
		i := r.IntN(len(b))
		switch r.IntN(4) {
		case 0:
			b[i] ^= 1 << r.IntN(8)
		case 1:
			b[i] = []byte{0, 1, 127, 128, 255, byte(r.IntN(256))}[r.IntN(6)]
		case 2:
			j := r.IntN(len(b))
			copy(b[i:], bytes.Clone(b[j:min(len(b), j+1+r.IntN(8))]))
		case 3:
			large := binary.AppendUvarint(nil, []uint64{300, 1<<31 - 1, 1<<32 - 1, 1 << 63, 1<<64 - 1}[r.IntN(5)])
			b = append(b[:i:i], append(large, b[i+1:]...)...)
		}
	}
	return b
}

// number finds the numbers of the fields of an event.
var numbers = regexp.MustCompile(`[=\[,:](-?\d+)`)

var extremes = strings.Fields("0 1 2 3 255 65536 2147483647 2147483648 4294967295 4294967296 9223372036854775807 18446744073709551615 -1 -9223372036854775808")

func mutateLines(r *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	for range some(r) {
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		switch r.IntN(8) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] += "\n" + lines[j]
		case 2:
			lines[i], lines[j] = lines[j], lines[i]
		default:
			all := numbers.FindAllStringSubmatchIndex(lines[i], -1)
			if len(all) == 0 {
				continue
			}
			at := all[r.IntN(len(all))]
			n := extremes[r.IntN(len(extremes))]
			if r.IntN(2) == 0 {
				n = fmt.Sprint(r.IntN(20))
			}
			lines[i] = lines[i][:at[2]] + n + lines[i][at[3]:]
		}
	}
	return strings.Join(lines, "\n")
}
