//go:build unix

package builtin

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/gradtui/gradtui/capture/python/protocol"
	"github.com/gradtui/gradtui/internal/scratch"
)

// This file is the engine's end of the channel to a Python program. Messages lie
// in memory that both processes share; package protocol has its layout. Each side watches
// for the other's messages for a while, which takes no system call; then it sleeps at a
// socket, and the other side writes a byte there to wake it. Messages that the program does
// not wait for lie one after the other; an answered one ends the row, and the next begins
// where it began. python/builtin/torch/_channel.py is the other end; docs/internals/python.md
// describes both.

// memoryBytes is the size of the shared memory: the header, messages, replies.
const memoryBytes = protocol.HeaderBytes + 2*protocol.AreaBytes

// maxMessage bounds a message.
const maxMessage = 2 << 30

// patience is how long the engine watches for the next request before it sleeps:
// longer than most programs take from one operation to the next, and than it takes
// to wake a process, also in a virtual machine. With less, both sides would go on
// sleeping once they have begun to.
const patience = 200 * time.Microsecond

// mostLapse is how many requests at most go by without watching.
const mostLapse = 63

// wakeCheck is how soon after falling asleep a side looks once more: the other's
// note that there is a message may have crossed with its own that it sleeps.
const wakeCheck = 5 * time.Millisecond

// lostWake is after how many milliseconds a sleeping engine looks again: a signal handler of
// the program may have raised an exception when the engine was about to be woken.
const lostWake = 1000

// A channel is the engine's end.
type channel struct {
	folder *scratch.Folder
	memory []byte
	words  *[protocol.HeaderBytes / 8]uint64
	conn   *net.UnixConn
	fd     int // of conn, which stays open as long as the channel
	listen *net.UnixListener
	seen   uint64 // number of the request that was read last
	begin  int    // where the next one begins
	end    int    // where the newest one ended that could be seen then
	part   bool   // what was read goes on in the next one
	large  []byte // a message that came in parts

	lapse, skip int // how often not to watch: next time, and still
}

// ChannelVariable is the environment variable that tells the program where its
// channel is.
const ChannelVariable = "GRADTUI_CHANNEL"

// newChannel makes the files of a channel in a private folder.
func newChannel() (*channel, error) {
	c := &channel{}
	folder, err := scratch.Make("the channel to the Python program", c.fill)
	if err != nil {
		return nil, err
	}
	c.folder = folder
	return c, nil
}

// fill makes the files of the channel in a folder.
func (c *channel) fill(dir string) error {
	f, err := scratch.Allocate(filepath.Join(dir, "memory"), memoryBytes)
	if err != nil {
		return err
	}
	defer f.Close()
	listen, err := scratch.Listen(dir)
	if err != nil {
		return err
	}
	memory, err := unix.Mmap(int(f.Fd()), 0, memoryBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		listen.Close()
		return fmt.Errorf("mapping %s: %w", f.Name(), err)
	}
	c.listen, c.memory = listen, memory
	c.words = (*[protocol.HeaderBytes / 8]uint64)(unsafe.Pointer(&memory[0]))
	return nil
}

// environment is the variable for the environment of the program.
func (c *channel) environment() string { return ChannelVariable + "=" + c.folder.Path }

// accept waits for the program. The error net.ErrClosed means that hangUp was
// called: the program ended without using the engine.
func (c *channel) accept() error {
	conn, err := c.listen.AcceptUnix()
	if err != nil {
		return err
	}
	c.conn = conn
	if err := c.own(); err != nil {
		return fmt.Errorf("connecting to Python: %w", err)
	}
	if runtime.NumCPU() == 1 {
		c.skip = math.MaxInt // the program could not run meanwhile
	}
	return c.listen.Close() // the memory is for one program, not for those that it starts
}

// own takes the connection away from Go's poller.
func (c *channel) own() error {
	raw, err := c.conn.SyscallConn()
	if err != nil {
		return err
	}
	if err := raw.Control(func(fd uintptr) { c.fd = int(fd) }); err != nil {
		return err
	}
	timeout := unix.NsecToTimeval(int64(wakeCheck))
	return errors.Join(unix.SetsockoptTimeval(c.fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &timeout), unix.SetNonblock(c.fd, false))
}

// hangUp makes accept give up. The files go away.
func (c *channel) hangUp() {
	c.listen.Close()
	c.folder.Remove()
}

// cut ends the connection for both sides, which notice it where they wait.
func (c *channel) cut() { unix.Shutdown(c.fd, unix.SHUT_RDWR) }

// close ends the channel. Nothing may use it any more.
func (c *channel) close() {
	c.hangUp()
	if c.conn != nil {
		c.conn.Close()
	}
	if c.memory != nil {
		unix.Munmap(c.memory)
		c.memory = nil
	}
}

func (c *channel) load(word int) uint64     { return atomic.LoadUint64(&c.words[word]) }
func (c *channel) store(word int, x uint64) { atomic.StoreUint64(&c.words[word], x) }

// spins is how often the engine looks for a request between two looks at the clock.
const spins = 128

// request waits for the next request. Others may follow it in the data.
func (c *channel) request() ([]byte, error) {
	if !c.watch() {
		if err := c.sleep(); err != nil {
			return nil, err
		}
	}
	if c.seen++; c.seen == 1 {
		c.folder.Remove() // the program has mapped the memory: a kill leaves nothing
	}
	end := c.load(protocol.WordLength) &^ protocol.PartOfMore
	if end > protocol.AreaBytes || end < uint64(c.begin) {
		return nil, fmt.Errorf("the program sent messages of %d bytes", end)
	}
	c.end = int(end)
	c.part = c.load(protocol.WordLength)&protocol.PartOfMore != 0 && c.seen == c.load(protocol.WordRequest)
	return c.memory[protocol.HeaderBytes+c.begin : protocol.HeaderBytes+c.end], nil
}

// done says that the program waits for no answer to the newest message, after which rest bytes
// follow.
func (c *channel) done(rest int) { c.begin = c.end - rest }

// next waits for the next message. The data, in which others may follow it, is valid
// until the next call. io.EOF is the end of the program. A message without data asks
// for nothing but an answer.
func (c *channel) next() ([]byte, error) {
	data, err := c.request()
	for err == nil && len(data) == 0 {
		if err = c.answer(protocol.ReplyNone, 0, nil); err == nil {
			data, err = c.request()
		}
	}
	if err != nil || !c.part {
		return data, err
	}
	c.large = c.large[:0]
	for {
		if len(c.large)+len(data) > maxMessage {
			return nil, fmt.Errorf("the program sent a message of more than %d bytes", maxMessage)
		}
		c.large = append(c.large, data...)
		if !c.part {
			return c.large, nil
		}
		if err := c.answer(protocol.ReplyPart, 0, nil); err != nil {
			return nil, err
		}
		if data, err = c.request(); err != nil {
			return nil, err
		}
	}
}

// watch looks for a request as long as its patience lasts, and reports whether
// there is one. Where watching was in vain, because the program computes or because
// it waits for the processor that the engine keeps busy, it is left out more and
// more often.
func (c *channel) watch() bool {
	if c.load(protocol.WordRequest) != c.seen {
		return true
	}
	if c.skip > 0 {
		c.skip--
		return false
	}
	for began := time.Now(); time.Since(began) < patience; {
		for range spins {
			if c.load(protocol.WordRequest) != c.seen {
				c.lapse = 0
				return true
			}
		}
	}
	c.lapse = min(2*c.lapse+1, mostLapse)
	c.skip = c.lapse
	return false
}

// sleep waits at the socket until there is a request. The thread itself sleeps, so
// that the program wakes it without a detour. The program ends the rest itself, so
// that it wakes the engine once.
func (c *channel) sleep() error {
	defer c.store(protocol.WordResting, 0)
	var b [64]byte
	for {
		c.store(protocol.WordResting, 1)
		if c.load(protocol.WordRequest) != c.seen {
			return nil
		}
		switch n, err := unix.Read(c.fd, b[:]); {
		case err == unix.EINTR:
		case err == unix.EAGAIN: // nothing for a while, and no message has crossed
			if c.load(protocol.WordRequest) == c.seen {
				unix.Poll([]unix.PollFd{{Fd: int32(c.fd), Events: unix.POLLIN}}, lostWake)
			}
		case err != nil || n == 0:
			if c.load(protocol.WordRequest) == c.seen { // else it is the program's last will
				return io.EOF
			}
		}
	}
}

// wake writes the byte that the program sleeps for.
func (c *channel) wake() error {
	for {
		_, err := unix.Write(c.fd, []byte{'w'})
		switch err {
		case nil, unix.EAGAIN: // there are unread ones
			return nil
		case unix.EINTR:
		default:
			return io.EOF
		}
	}
}

// reply answers the newest message. What is too long goes in parts; the program
// asks for the next one with an empty request.
func (c *channel) reply(kind protocol.Reply, value uint64, data []byte) error {
	for len(data) > protocol.AreaBytes {
		if err := c.answer(protocol.ReplyPart, 0, data[:protocol.AreaBytes]); err != nil {
			return err
		}
		data = data[protocol.AreaBytes:]
		if _, err := c.request(); err != nil {
			return err
		}
	}
	return c.answer(kind, value, data)
}

// answer writes an answer to the newest request.
func (c *channel) answer(kind protocol.Reply, value uint64, data []byte) error {
	c.begin = 0
	copy(c.memory[protocol.HeaderBytes+protocol.AreaBytes:], data)
	c.words[protocol.WordKind], c.words[protocol.WordValue], c.words[protocol.WordReplyLength] = uint64(kind), value, uint64(len(data))
	c.store(protocol.WordReply, c.seen)
	if c.load(protocol.WordWaiting) != 0 {
		return c.wake()
	}
	return nil
}
