package require

import (
	"os"
	"os/signal"
	"syscall"
)

// Signals restores the handling of interrupts and hangups in processes that the tests start. A
// shell makes commands in the background ignore interrupts, and nohup makes all ignore hangups:
// a program that waits for one would wait forever.
func Signals() {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGHUP, syscall.SIGQUIT} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s) // caught here, so the default in children
		}
	}
}
