package launch

import (
	"context"
	"errors"

	"github.com/gradtui/gradtui/graph"
	"github.com/gradtui/gradtui/graph/tapefile"
)

// Keep writes a tape to its file while it grows. The function that it returns
// writes the rest and closes the file.
func Keep(file *tapefile.Writer, tape *graph.Tape) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	written := make(chan error, 1)
	go func() { written <- file.Follow(ctx, tape) }()
	return func() error {
		cancel()
		return errors.Join(<-written, file.Close())
	}
}
