//go:build race

package graphviz

// raceEnabled says whether the program was built with the race detector.
const raceEnabled = true
