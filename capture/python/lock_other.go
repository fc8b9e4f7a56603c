//go:build !unix

package python

// lock does nothing: two processes that replace a damaged folder at once may both
// have to try again.
func lock(string) (unlock func()) { return func() {} }
