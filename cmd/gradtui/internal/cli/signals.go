package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gradtui/gradtui/capture"
)

// patience is how long gradtui may take to end after a request: a program that it runs has five
// seconds of it.
const patience = 10 * time.Second

// WithSignals returns a context that a signal cancels. Code that does not notice, such as a
// write to a pipe that nothing reads, is ended by the next signal or after patience.
func WithSignals(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as below nohup, where the program ignores it as well
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		first := <-signals
		cancel(capture.Signalled{Signal: first})
		signal.Notify(signals, os.Interrupt)
		last := insisted(first, signals, time.After(patience))
		capture.KillAll()
		leaveTerminal(time.After(time.Second))
		const signalled = 128
		code := ExitStopped
		if number, ok := last.(syscall.Signal); ok {
			code = signalled + int(number)
		}
		os.Exit(code)
	}()
	return ctx, func() { cancel(nil) }
}

// endInterrupted ends gradtui as an interrupt does that nothing takes: those who have started
// it can see that.
func endInterrupted() {
	signal.Reset(os.Interrupt)
	if self, err := os.FindProcess(os.Getpid()); err != nil || self.Signal(os.Interrupt) != nil {
		os.Exit(ExitStopped)
	}
	select {}
}

// insisted waits until gradtui has to end and returns the signal that says so. A second
// SIGHUP does not: when a terminal goes, the system and the shell both send one.
func insisted(first os.Signal, more <-chan os.Signal, late <-chan time.Time) os.Signal {
	for {
		select {
		case sig := <-more:
			if sig != syscall.SIGHUP || first != syscall.SIGHUP {
				return sig
			}
		case <-late:
			return first
		}
	}
}
