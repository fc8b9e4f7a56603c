package tuitest

import "testing"

// As is the session in another test, one that may fail.
func (s *Session) As(t testing.TB) *Session {
	other := *s
	other.t = t
	return &other
}
