package require

import (
	"os"
	"os/signal"
	"syscall"
)

// Signals undoes, for what the tests start, that this process was told to ignore interrupts
// and hangups, as a shell does for commands in the background and nohup for all: a program
// that waits for one would wait forever.
func Signals() {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGHUP, syscall.SIGQUIT} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s) // caught here, so the default in children
		}
	}
}
