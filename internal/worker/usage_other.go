//go:build !unix

package worker

import "time"

var started = time.Now()

// ProcessorTime returns how long this process exists: where it cannot be asked
// for its processor time, it is taken to have had a processor for itself.
func ProcessorTime() time.Duration { return time.Since(started) }
