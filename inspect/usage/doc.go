// Package usage measures what a program used: time, memory, and how much of each per line and
// per iteration.
//
// Begin with [Measure], which reads a tape once and returns a [Stat]. A [Meter], [LineUses] and a
// [MemorySeries] follow a tape that grows. They all count memory with [Memory], which knows
// which tensors, nodes and storages are alive. [Iterations] finds the iterations of the main loop.
package usage
