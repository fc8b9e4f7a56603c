package boot

import (
	"encoding/binary"
	"errors"
)

// Sections of a WebAssembly module, in the order in which they appear
// (https://webassembly.github.io/spec/core/binary/modules.html).
const (
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	memorySection   = 5
	exportSection   = 7
	codeSection     = 10
)

var errWasm = errors.New("boot: not a WebAssembly module of the expected form")

// Hollow returns a module with the exported functions of another, under the
// same names and with the same types, that do nothing: those that return
// something return the number 8, which is a valid address and not null. It has
// one page of memory and imports nothing. Where the original has thousands of
// functions it has one for each type, so it compiles in no time.
func Hollow(module []byte) (hollow []byte, err error) {
	defer func() {
		if recover() != nil { // cut off in the middle of something
			hollow, err = nil, errWasm
		}
	}()
	sections, err := wasmSections(module)
	if err != nil {
		return nil, err
	}
	bodies, err := emptyBodies(sections[typeSection])
	if err != nil {
		return nil, err
	}
	functions, err := functionTypes(sections[importSection], sections[functionSection])
	if err != nil {
		return nil, err
	}
	types := make([][]byte, len(bodies)) // function i has type i
	for i := range types {
		types[i] = binary.AppendUvarint(nil, uint64(i))
	}
	out := append([]byte(nil), module[:8]...)
	out = appendSection(out, typeSection, sections[typeSection])
	out = appendSection(out, functionSection, vector(types))
	out = appendSection(out, memorySection, []byte{1, 0, 1})
	out = appendSection(out, exportSection, exports(sections[exportSection], functions))
	out = appendSection(out, codeSection, vector(bodies))
	return out, nil
}

// wasmReader reads from the front of a slice. It panics at its end.
type wasmReader []byte

func (r *wasmReader) byte() byte {
	b := (*r)[0]
	*r = (*r)[1:]
	return b
}

func (r *wasmReader) number() int {
	v, n := binary.Uvarint(*r)
	if n <= 0 || v > 1<<31 {
		panic(errWasm)
	}
	*r = (*r)[n:]
	return int(v)
}

// bytes reads a counted string of bytes.
func (r *wasmReader) bytes() []byte {
	n := r.number()
	b := (*r)[:n]
	*r = (*r)[n:]
	return b
}

func wasmSections(module []byte) (map[byte][]byte, error) {
	if len(module) < 8 || string(module[:4]) != "\x00asm" {
		return nil, errWasm
	}
	sections := map[byte][]byte{}
	for r := wasmReader(module[8:]); len(r) > 0; {
		id := r.byte()
		sections[id] = r.bytes()
	}
	return sections, nil
}

// emptyBodies returns, for each function type, the code of a function that
// only returns.
func emptyBodies(types wasmReader) ([][]byte, error) {
	const end = 0x0b
	constants := map[string][]byte{
		"":     {},
		"\x7f": {0x41, 8},                            // i32.const 8
		"\x7e": {0x42, 8},                            // i64.const 8
		"\x7d": {0x43, 0, 0, 0, 0x41},                // f32.const 8
		"\x7c": {0x44, 0, 0, 0, 0, 0, 0, 0x20, 0x40}, // f64.const 8
	}
	bodies := make([][]byte, types.number())
	for i := range bodies {
		if types.byte() != 0x60 {
			return nil, errWasm
		}
		types.bytes() // of the parameters
		value, ok := constants[string(types.bytes())]
		if !ok {
			return nil, errWasm
		}
		code := append([]byte{0}, value...) // no locals
		code = append(code, end)
		bodies[i] = append(binary.AppendUvarint(nil, uint64(len(code))), code...)
	}
	return bodies, nil
}

// functionTypes returns the type of each function, imported ones first, with
// -1 for those.
func functionTypes(imports, functions wasmReader) ([]int, error) {
	var out []int
	for range imports.number() {
		imports.bytes() // module
		imports.bytes() // name
		if imports.byte() != 0 {
			return nil, errWasm
		}
		imports.number()
		out = append(out, -1)
	}
	for range functions.number() {
		out = append(out, functions.number())
	}
	return out, nil
}

// exports returns an export section that names, for each exported function,
// the one of its type.
func exports(section wasmReader, types []int) []byte {
	const function, memory = 0, 2
	entry := func(name []byte, kind byte, index int) []byte {
		e := binary.AppendUvarint(nil, uint64(len(name)))
		e = append(append(e, name...), kind)
		return binary.AppendUvarint(e, uint64(index))
	}
	entries := [][]byte{entry([]byte("memory"), memory, 0)}
	for range section.number() {
		name, kind, index := section.bytes(), section.byte(), section.number()
		if kind == function && types[index] >= 0 {
			entries = append(entries, entry(name, kind, types[index]))
		}
	}
	return vector(entries)
}

// vector puts a count before elements.
func vector(elements [][]byte) []byte {
	out := binary.AppendUvarint(nil, uint64(len(elements)))
	for _, e := range elements {
		out = append(out, e...)
	}
	return out
}

func appendSection(out []byte, id byte, body []byte) []byte {
	out = append(out, id)
	out = binary.AppendUvarint(out, uint64(len(body)))
	return append(out, body...)
}
