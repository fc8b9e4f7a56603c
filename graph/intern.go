package graph

import (
	"encoding/binary"
	"strings"
)

// An interner gives each distinct string a number; the empty string is 0.
type interner struct {
	ids  map[string]StringID
	list []string
}

func (in *interner) init() {
	in.ids = map[string]StringID{"": 0}
	in.list = []string{""}
}

func (in *interner) intern(s string) StringID {
	if id, ok := in.ids[s]; ok {
		return id
	}
	s = strings.Clone(s)
	id := StringID(len(in.list))
	in.ids[s] = id
	in.list = append(in.list, s)
	return id
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
	ids  map[string]StackID
	list []Stack
}

func (in *stackInterner) init() {
	in.ids = map[string]StackID{"": 0}
	in.list = []Stack{nil}
}

func (in *stackInterner) intern(names *interner, s Stack) StackID {
	key := string(appendStack(nil, names, s))
	if id, ok := in.ids[key]; ok {
		return id
	}
	kept := make(Stack, len(s))
	for i, f := range s {
		f.File = names.text(names.intern(f.File))
		f.Func = names.text(names.intern(f.Func))
		kept[i] = f
	}
	id := StackID(len(in.list))
	in.ids[key] = id
	in.list = append(in.list, kept)
	return id
}

// appendStack encodes the frames of a stack with interned names.
func appendStack(b []byte, names *interner, s Stack) []byte {
	for _, f := range s {
		b = binary.AppendUvarint(b, uint64(names.intern(f.File)))
		b = binary.AppendUvarint(b, uint64(names.intern(f.Func)))
		for _, n := range [...]int{f.Line, f.Col, f.EndLine, f.EndCol} {
			b = binary.AppendVarint(b, int64(n))
		}
	}
	return b
}

// decodeStack reads what appendStack wrote.
func decodeStack(c *codec, names *interner) Stack {
	var s Stack
	for !c.ended() {
		file, fn := StringID(c.readUvarint()), StringID(c.readUvarint())
		f := Frame{File: names.text(file), Func: names.text(fn)}
		for _, p := range [...]*int{&f.Line, &f.Col, &f.EndLine, &f.EndCol} {
			*p = int(unzigzag(c.readUvarint()))
		}
		s = append(s, f)
	}
	return s
}
