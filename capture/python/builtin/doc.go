// Package builtin is gradtui's end of the built-in engine: it serves the torch package of
// python/builtin, whose calls it makes on package autograd.
//
// A host (host.go) has a channel to the program, memory that both share (channel.go), and
// serves the program in a session (session.go). A message (message.go) asks for a call of a
// command (commands.go lists them) or of a function of the engine (calls.go); a reply
// (reply.go) has the result. Tensors and nodes stay here, and Python has their handles
// (objects.go); values.go translates between Python's values and the engine's. The engine
// may call Python functions while the program waits (callback.go).
//
// Python does not wait for a call that cannot fail and whose result it can predict
// (unanswered.go). For this it knows a number for the layout of each tensor (metadata.go),
// and learns from replies which calls can be predicted (prediction.go).
//
// The agent in the program sends records with its messages (records.go): call stacks, names,
// modules, notes.
package builtin
