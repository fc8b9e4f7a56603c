package python

// NewGathering lets tests record ranks that they start themselves.
var NewGathering = newGathering
