//go:build !race

// Package race says whether the race detector is on. It makes programs slow, and has memory of
// its own that counts as theirs.
package race

// Enabled says whether the program was built with the race detector.
const Enabled = false
