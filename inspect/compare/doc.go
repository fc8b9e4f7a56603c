// Package compare compares runs: two tapes or two pieces of one ([Parts]), the tapes of the ranks
// of a distributed program ([Ranks]), the lines of two measurements ([Lines]), two runs of one
// program event by event ([Rerun]).
package compare
