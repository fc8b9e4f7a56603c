package python

// NewRecorder lets tests record programs on PyTorch that they start themselves.
var NewRecorder = newRecorder
