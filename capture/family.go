package capture

import (
	"errors"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/gradtui/gradtui/internal/processes"
)

// A family is a program and the processes that it has started, and they, except for those
// that began a session of their own, as daemons do. The system forgets who has started a
// process when the starter ends, so a family that is to end is looked at again and again.
type family struct {
	ended <-chan struct{} // closed when the program has

	mu      sync.Mutex
	program *os.Process       // nil before it was started
	found   processes.Process // the same, if the system says
	known   map[processes.Process]bool
}

// between is the time between two looks at a family that is to end.
const between = 100 * time.Millisecond

// start starts the program.
func (f *family) start(cmd *exec.Cmd) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	f.program, f.known = cmd.Process, map[processes.Process]bool{}
	f.found, _ = processes.Find(cmd.Process.Pid)
	return nil
}

// signal signals all processes of the family that there are.
func (f *family) signal(sig os.Signal) error {
	f.look()
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.program.Signal(sig)
	for p := range f.known {
		p.Signal(sig) // it may have ended
	}
	return err
}

// look notes which processes the family has now.
func (f *family) look() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.found.Below(false) {
		f.known[p] = true
	}
}

// cancel asks the family to end, for a reason. What the whole process group got, it has
// got already.
func (f *family) cancel(why error, group *witness) (err error) {
	f.look()
	var s Signalled
	switch signalled := errors.As(why, &s); {
	case !signalled:
		err = f.signal(os.Interrupt)
	case group == nil || !group.signalled():
		err = f.signal(s.Signal)
	}
	go func() {
		for tick := time.NewTicker(between); ; {
			select {
			case <-tick.C:
				f.look()
			case <-f.ended:
				tick.Stop()
				return
			}
		}
	}()
	return err
}
