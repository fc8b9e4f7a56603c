// Package query asks a run what happened: "which mm had a result above 100", "what wrote to
// pos", "where did the gradient of fc1.weight fall below 1e-8". Breakpoints, conditions,
// searches and check scripts share its language.
//
// A query is an expression with the syntax of Python ([Words] lists what it may say). It is asked
// behind each event, in order, of a program that runs or of a tape: [Query.Start] returns a
// [Matcher], which keeps what it needs to know of the events before. [Hits] is the list of all
// answers on a tape, forwards and backwards.
//
// What a query compares is a fact of the event, such as op; a quantity of a tensor, such as
// max(out); or the place where the program is, such as iteration. A query hits at an event if it
// is true there and the event brought something that it asks for: the operation, a new value of
// a tensor that it names. The place alone is never news, unless the query asks for nothing else.
package query
