package autograd

var backwardCases = map[string]func() any{}
var hookCases = map[string]func() any{}
var functionCases = map[string]func() any{}
var forwardCases = map[string]func() any{}
