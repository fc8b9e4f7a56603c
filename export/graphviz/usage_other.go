//go:build !unix

package graphviz

import "time"

var started = time.Now()

// processorTimeUsed returns how long this process exists: where it cannot be asked
// for its processor time, it is taken to have had a processor for itself.
func processorTimeUsed() time.Duration { return time.Since(started) }
