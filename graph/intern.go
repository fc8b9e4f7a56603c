package graph

import (
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf8"
)

// Bounds on what is interned. Longer strings and deeper stacks are cut.
const (
	MaxString = 64 << 10 // bytes of a string
	MaxFrames = 4096     // frames of a stack, counted from the innermost
)

// An interner gives each distinct string a number; the empty string is 0.
type interner struct {
	ids    map[string]StringID
	list   []string
	bytes  int64 // about what the strings take
	frozen bool  // takes no new strings
}

const perString = 96 // what a string takes besides its bytes, about

func (in *interner) init() {
	in.ids = map[string]StringID{"": 0}
	in.list = []string{""}
}

func (in *interner) intern(s string) StringID {
	if id, ok := in.ids[s]; ok || in.frozen {
		return id
	}
	if len(s) > MaxString || !utf8.ValidString(s) {
		s = shorten(strings.ToValidUTF8(s, "\uFFFD"), MaxString)
		if id, ok := in.ids[s]; ok {
			return id
		}
	}
	s = strings.Clone(s)
	id := StringID(len(in.list))
	in.ids[s] = id
	in.list = append(in.list, s)
	in.bytes += int64(len(s)) + perString
	return id
}

// know reports whether all names of a stack are interned.
func (in *interner) know(s Stack) bool {
	for _, f := range s {
		_, file := in.ids[f.File]
		_, fn := in.ids[f.Func]
		if !file || !fn {
			return false
		}
	}
	return true
}

func (in *interner) text(id StringID) string {
	if int(id) < len(in.list) {
		return in.list[id]
	}
	return ""
}

// A stackInterner gives each distinct call stack a number; the unknown stack,
// which has no frames, is 0.
type stackInterner struct {
	ids    map[string]StackID
	list   []Stack
	bytes  int64
	frozen bool
	key    []byte // scratch
}

const (
	perStack = 128
	perFrame = 64
)

func (in *stackInterner) init() {
	in.ids = map[string]StackID{"": 0}
	in.list = []Stack{nil}
}

func (in *stackInterner) stack(id StackID) Stack {
	if int(id) < len(in.list) {
		return in.list[id]
	}
	return nil
}

func (in *stackInterner) intern(names *interner, s Stack) StackID {
	s = s[:min(len(s), MaxFrames)]
	if in.frozen && !names.know(s) {
		return 0
	}
	in.key = appendStack(in.key[:0], names, s)
	if id, ok := in.ids[string(in.key)]; ok || in.frozen {
		return id
	}
	kept := decodeStack(&codec{mode: decoding, buf: in.key, inner: 1}, names.text)
	id := StackID(len(in.list))
	in.ids[string(in.key)] = id
	in.list = append(in.list, kept)
	in.bytes += int64(len(in.key)) + perStack + perFrame*int64(len(s))
	return id
}

// maxFrame is the most that a frame takes when encoded.
const maxFrame = 6 * binary.MaxVarintLen32

// appendStack encodes the frames of a stack with interned names.
func appendStack(b []byte, names *interner, s Stack) []byte {
	for _, f := range s {
		b = binary.AppendUvarint(b, uint64(names.intern(f.File)))
		b = binary.AppendUvarint(b, uint64(names.intern(f.Func)))
		for _, n := range [...]int{f.Line, f.Col, f.EndLine, f.EndCol} {
			b = binary.AppendUvarint(b, uint64(min(max(n, 0), math.MaxInt32)))
		}
	}
	return b
}

// decodeStack reads what appendStack wrote.
func decodeStack(c *codec, text func(StringID) string) Stack {
	var s Stack
	for !c.ended() && len(s) < MaxFrames {
		file, fn := narrow[StringID](c, "string", c.readUvarint()), narrow[StringID](c, "string", c.readUvarint())
		f := Frame{File: text(file), Func: text(fn)}
		for _, p := range [...]*int{&f.Line, &f.Col, &f.EndLine, &f.EndCol} {
			*p = int(min(c.readUvarint(), math.MaxInt32))
		}
		s = append(s, f)
	}
	return s
}
