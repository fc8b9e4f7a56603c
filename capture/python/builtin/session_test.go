//go:build unix

package builtin

import (
	"encoding/binary"
	"errors"
	"math"
	"net"
	"path/filepath"
	"testing"

	"github.com/gradtui/gradtui/autograd"
	"github.com/gradtui/gradtui/capture/python/internal/marshal"
	"github.com/gradtui/gradtui/capture/python/protocol"
)

func TestMessagesAreReadInARow(t *testing.T) {
	c, err := newChannel()
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	program, err := net.Dial("unix", filepath.Join(c.folder.Path, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.accept(); err != nil {
		t.Fatal(err)
	}
	var end int
	put := func(n int64) {
		message := marshal.AppendInt(nil, n)
		end += copy(c.memory[protocol.HeaderBytes+end:], message)
		c.store(protocol.WordLength, uint64(end))
		c.store(protocol.WordRequest, c.load(protocol.WordRequest)+1)
	}
	want := func(n int, waits bool) {
		t.Helper()
		data, err := c.next()
		if err != nil {
			t.Fatal(err)
		}
		var d marshal.Decoder
		d.Reset(data, nil)
		if got, err := d.Int(); got != n || err != nil {
			t.Errorf("message %d is %d, %v", n, got, err)
		}
		if waits {
			err = c.reply(protocol.ReplyNone, 0, nil)
			end = 0
		} else {
			c.done(d.Rest())
		}
		if err != nil {
			t.Error(err)
		}
	}
	for range 3 {
		put(1)
		put(2)
		want(1, false)
		put(3)
		want(2, false)
		want(3, true)
	}
	put(4)
	put(5)
	program.Close()
	want(4, false)
	want(5, false)
	if _, err := c.next(); err == nil {
		t.Error("a message came from a program that has ended")
	}
}

func TestDamagedShortMessages(t *testing.T) {
	x := autograd.Ones([]int{2})
	s := &session{objects: newObjects()}
	s.tensorHandle(x)
	short := func(form byte, words ...int32) []byte {
		b := make([]byte, protocol.ShortBytes)
		b[0], b[1] = protocol.ShortTag, form
		for i, w := range words {
			binary.LittleEndian.PutUint32(b[16+4*i:], uint32(w))
		}
		return b
	}
	var m message
	if err := s.read(short(0x01, 1), &m); err != nil || len(m.args) != 1 || m.args[0] != x {
		t.Errorf("read %v, %v", m.args, err)
	}
	for _, b := range [][]byte{
		short(0x01, 0), short(0x01, 2), short(0x01, -1), short(0x01, math.MinInt32), // no such tensors
		short(0x01, 1, 7), short(0x01, 1, 0, 0, -1), // nor these
		short(0x00, 1), short(0x11, 1), short(0x61, 1), short(0xf1, 1), short(0x0f, 1), // no such forms
		short(0x01, 1)[:protocol.ShortBytes-1],
	} {
		if err := s.read(b, &m); !errors.Is(err, marshal.ErrFormat) {
			t.Errorf("%x: %v", b, err)
		}
	}
}
