// Package lookup finds on a tape what a debugger shows.
//
// An [Index] knows which events are about a node or a tensor, and shows one of them as of any
// position ([Index.NodeAt], [Index.TensorAt]). A [Timeline] knows what happened in any stretch
// of the tape. [Steps] finds where a cursor stops next. All three follow a tape that grows,
// in slices of the caller's choice. [Hazards] and [Summarize] look at a graph once.
package lookup
