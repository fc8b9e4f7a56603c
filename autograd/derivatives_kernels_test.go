package autograd

import (
	"strings"

	"github.com/gradtui/gradtui/inspect/formula"
)

// kernelFormulas says what operators compute that exist only for derivatives, where it is short, in terms of their
// parameters. After the name may come the value of a parameter for which it holds. A test compares each with its
// kernel.
var kernelFormulas = map[string]string{
	"sigmoid_backward":              "mul(grad_output, mul(output, sub(1, output)))",
	"tanh_backward":                 "mul(grad_output, sub(1, pow(output, exponent=2)))",
	"threshold_backward":            "where(gt(self, other=threshold), grad_output, const(0, size=[]))",
	"leaky_relu_backward":           "where(gt(self, other=0), grad_output, mul.Scalar(grad_output, other=negative_slope))",
	"hardtanh_backward":             "where(logical_and(gt(self, other=min_val), lt(self, other=max_val)), grad_output, const(0, size=[]))",
	"softplus_backward":             "where(gt(mul.Scalar(self, other=beta), other=threshold), grad_output, mul(grad_output, sigmoid(mul.Scalar(self, other=beta))))",
	"_softmax_backward_data":        "mul(output, sub(grad_output, sum(mul(grad_output, output), dim=dim, keepdim=True)))",
	"_log_softmax_backward_data":    "sub(grad_output, mul(exp(output), sum(grad_output, dim=dim, keepdim=True)))",
	"mse_loss_backward reduction=0": "mul(grad_output, mul.Scalar(sub(self, target), other=2))",
	"mse_loss_backward reduction=1": "div.Scalar(mul(grad_output, mul.Scalar(sub(self, target), other=2)), other=numel(self))",
	"mse_loss_backward reduction=2": "mul(grad_output, mul.Scalar(sub(self, target), other=2))",
}

// written returns a call of a kernel by what the kernel computes, if the table above says so.
func (s *sampleTrace) written(c *sketch, op *Op, args []sketchArg) *sketch {
	for name, text := range kernelFormulas {
		name, when, conditional := strings.Cut(name, " ")
		if name != c.op {
			continue
		}
		param, value, _ := strings.Cut(when, "=")
		byName := map[string]*sketch{}
		holds := !conditional
		for _, a := range args {
			byName[a.param] = a.sketch
			holds = holds || a.param == param && a.number == value
		}
		if holds {
			e, err := formula.Parse(text)
			if err != nil {
				panic(err)
			}
			return substituted(e, op, byName)
		}
	}
	return c
}

// substituted returns an expression over the parameters of a kernel as a sketch.
func substituted(e *formula.Expr, kernel *Op, args map[string]*sketch) *sketch {
	if a := args[e.Leaf]; a != nil {
		return a
	}
	if e.Op == "numel" {
		if a := args[e.Args[0].Leaf]; len(a.from) == 1 {
			return &sketch{from: []string{"numel(" + a.from[0] + ")"}, size: 1}
		}
		return &sketch{op: "…", size: maxSketch + 1}
	}
	if e.Leaf != "" {
		return &sketch{from: []string{e.Leaf}, size: 1}
	}
	if e.IsList() {
		return &sketch{from: []string{e.String()}, size: 1}
	}
	c := &sketch{op: e.Op}
	for _, a := range e.Args {
		c.args = append(c.args, sketchArg{name: a.Name, sketch: substituted(a.Expr, kernel, args)})
	}
	return sized(c)
}
