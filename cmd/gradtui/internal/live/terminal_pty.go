//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package live

import (
	"fmt"
	"os"
	"sync"
	"syscall"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// A terminal stands in for the user's terminal: one pseudo-terminal for standard input and
// output, and one for standard error, so that the two can be distinguished. They echo what
// is typed, edit lines and turn Ctrl-C into a signal, as terminals do, but do not change
// what the program writes.
type terminal struct {
	stdout, stderr *line
	lines          []*line // both
	typed          chan string
	over           chan struct{}
	working        sync.WaitGroup
}

// maxTyped is how many texts wait for a program that does not read them.
const maxTyped = 64

// openTerminal makes a terminal whose output goes to out and err.
func openTerminal(size Size, out, err *output) (*terminal, error) {
	t := &terminal{typed: make(chan string, maxTyped), over: make(chan struct{})}
	for _, o := range []*output{out, err} {
		l, err := openLine(o)
		if err != nil {
			t.close()
			return nil, fmt.Errorf("making a terminal for the program: %w", err)
		}
		t.lines = append(t.lines, l)
	}
	t.stdout, t.stderr = t.lines[0], t.lines[1]
	t.stderr.after = t.stdout
	for _, l := range t.lines {
		t.working.Go(l.follow)
	}
	t.working.Go(t.typing)
	t.resize(size)
	return t, nil
}

func (t *terminal) resize(size Size) {
	for _, l := range t.lines {
		l.resize(size)
	}
}

// send types text. It returns false if too much is waiting already.
func (t *terminal) send(text string) bool {
	select {
	case t.typed <- text:
		return true
	default:
		return false
	}
}

func (t *terminal) typing() {
	for {
		select {
		case text := <-t.typed:
			t.stdout.master.WriteString(text) // waits for the program, or for close
		case <-t.over:
			return
		}
	}
}

// drain takes what the program has written so far.
func (t *terminal) drain() {
	for _, l := range t.lines {
		l.drain()
	}
}

// close takes the rest of what the program has written and hangs up.
func (t *terminal) close() {
	close(t.over)
	for _, l := range t.lines {
		l.slave.Close()
		l.drain()
		l.master.Close()
	}
	t.working.Wait()
}

// A line is a pseudo-terminal. The program has the slave's end. It stays open here as well,
// so that a program that has not started does not look like one that has ended.
type line struct {
	master, slave *os.File
	conn          syscall.RawConn // of the master
	out           *output
	// after is drained first: a traceback comes after what was printed before it.
	after *line

	mu     sync.Mutex // what is read goes to out in order
	buffer [16 << 10]byte
}

func openLine(out *output) (*line, error) {
	master, slave, err := pty.Open()
	if err != nil {
		return nil, err
	}
	l := &line{slave: slave, out: out}
	if l.master, err = waitable(master); err == nil {
		l.conn, err = l.master.SyscallConn()
	}
	if err == nil {
		err = verbatim(slave)
	}
	if err != nil {
		slave.Close()
		if l.master != nil {
			l.master.Close()
		}
		return nil, err
	}
	return l, nil
}

// waitable gives a blocking file to Go's poller, so that its readers can be woken.
func waitable(f *os.File) (*os.File, error) {
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

// verbatim stops a terminal from changing what is written to it.
func verbatim(f *os.File) error {
	mode, err := unix.IoctlGetTermios(int(f.Fd()), getTermios)
	if err != nil {
		return err
	}
	mode.Oflag &^= unix.OPOST
	return unix.IoctlSetTermios(int(f.Fd()), setTermios, mode)
}

func (l *line) resize(size Size) {
	l.conn.Control(func(fd uintptr) {
		unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(size.Columns), Row: uint16(size.Rows)})
	})
}

// follow takes what is written until the other end is closed.
func (l *line) follow() {
	l.conn.Read(func(fd uintptr) bool {
		for {
			if n, more := l.take(int(fd)); n == 0 {
				return !more
			}
		}
	})
}

// mostWritten is more than a terminal holds.
const mostWritten = 1 << 20

// drain takes what was written before the call. Reading a terminal fetches everything that
// is under way.
func (l *line) drain() {
	l.conn.Control(func(fd uintptr) {
		for total := 0; total < mostWritten; {
			n, _ := l.take(int(fd))
			if n == 0 {
				break
			}
			total += n
		}
	})
	l.out.flush()
}

// take reads once without waiting. more is false when the other end is closed.
func (l *line) take(fd int) (n int, more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		n, err := unix.Read(fd, l.buffer[:])
		switch {
		case err == unix.EINTR:
		case err == unix.EAGAIN:
			return 0, true
		case err != nil || n <= 0:
			return 0, false
		default:
			if l.after != nil {
				l.after.drain()
			}
			l.out.Write(l.buffer[:n])
			return n, true
		}
	}
}
