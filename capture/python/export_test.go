package python

// NewRecorder and NewGathering let tests record programs on PyTorch that they start themselves.
var (
	NewRecorder  = newRecorder
	NewGathering = newGathering
)
