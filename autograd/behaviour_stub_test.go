package autograd

var inPlaceCases = map[string]func() any{}
var viewCases = map[string]func() any{}
var backwardCases = map[string]func() any{}
var hookCases = map[string]func() any{}
var functionCases = map[string]func() any{}
var forwardCases = map[string]func() any{}
