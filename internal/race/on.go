//go:build race

package race

// Enabled says whether the program was built with the race detector.
const Enabled = true
