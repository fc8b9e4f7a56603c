package cli

import "fmt"

// Exit codes.
const (
	ExitOK       = 0
	ExitFindings = 1   // the command ran and found something
	ExitFailed   = 2   // the program or the request could not be run
	ExitStopped  = 130 // Ctrl-C
)

// An ExitError ends the command with a code. Any message has been printed already.
type ExitError struct{ Code int }

// Error implements error.
func (e ExitError) Error() string { return fmt.Sprintf("exit status %d", e.Code) }

// Exit is the error that ends the command with a code; nil for ExitOK.
func Exit(code int) error {
	if code == ExitOK {
		return nil
	}
	return ExitError{code}
}
