package autograd

import (
	"fmt"
	"strings"
)

// Most operators write a result into an out= tensor of any dtype that it can be
// cast to. This file lists those that want the dtype of the result.

// outRules are groups of such operators, each with its message.
var outRules = []struct {
	operators string
	text      func(name string, want, got DType) string
}{
	{
		"neg floor ceil abs sign round trunc bitwise_not sgn frac clamp clamp_min clamp_max softplus hardshrink conj_physical",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("Found dtype %s but expected %s", scalarTypeName(got), scalarTypeName(want))
		},
	},
	{
		"softmax log_softmax argmax argmin sort msort argsort max min aminmax norm tril triu diag mm mv addmv matmul gather take_along_dim topk bmm addmm " +
			"baddbmm scatter scatter_add index_add index_copy index_reduce renorm isin cross inverse select_copy t_copy view_copy",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("Expected out tensor to have dtype %s, but got %s instead", cTypeNames[want], cTypeNames[got])
		},
	},
	{
		"logcumsumexp cummax cummin",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("expected scalar_type %s but found %s", scalarTypeName(want), scalarTypeName(got))
		},
	},
	{
		"amax amin",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("Expected the dtype for input and out to match, but got %s for input's dtype and %s for out's dtype.", scalarTypeName(want), scalarTypeName(got))
		},
	},
	{
		"signbit isposinf isneginf",
		func(name string, _, _ DType) string { return name + " does not support non-boolean outputs." },
	},
	{
		"median nanmedian",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; but type %s does not equal %s (while checking arguments for median)", typeString(got), typeString(want))
		},
	},
	{
		"dot vdot",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("result dtype %s does not match input dtype %s", scalarTypeName(got), scalarTypeName(want))
		},
	},
	{
		"index_select masked_select",
		func(name string, _, _ DType) string {
			return name + "(): self and result must have the same scalar type"
		},
	},
	{
		"tensordot inner",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("tensordot: Expected the output tensor to have dtype %s, but got an output tensor with dtype %s", scalarTypeName(want), scalarTypeName(got))
		},
	},
	{
		"nan_to_num",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("nan_to_num: dtype of out: %s should be same as input: %s", scalarTypeName(got), scalarTypeName(want))
		},
	},
	{
		"where",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("Expected out type to be %s but got %s", scalarTypeName(want), scalarTypeName(got))
		},
	},
	{
		"take",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("take(): self and out expected to have the same dtype, but got self.dtype = %s and out.dtype = %s", scalarTypeName(want), scalarTypeName(got))
		},
	},
	{
		"kthvalue",
		func(string, DType, DType) string { return "output values must be of same type as input" },
	},
	{
		"mode",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("expected scalar type '%s' but got '%s' for values output", scalarTypeName(want), scalarTypeName(got))
		},
	},
	{
		"nonzero",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("nonzero: Expected out tensor to have scalar type %s but got scalar type%s", scalarTypeName(want), scalarTypeName(got))
		},
	},
	{
		"quantile nanquantile",
		func(name string, _, _ DType) string {
			return name + "() out tensor must be same dtype as the input tensor"
		},
	},
	{
		"multinomial",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("multinomial expects %s tensor out, got: %s", scalarTypeName(want), scalarTypeName(got))
		},
	},
	{
		"histc",
		func(_ string, want, got DType) string {
			return fmt.Sprintf("torch.histogram: input tensor and hist tensor should have the same dtype, but got input %s and hist %s", cTypeNames[want], cTypeNames[got])
		},
	},
	{
		"all any",
		func(name string, _, got DType) string {
			return fmt.Sprintf("%s only supports bool tensor for result, got: %s", name, scalarTypeName(got))
		},
	},
}

// outTexts are the messages by operator.
var outTexts = func() map[string]func(name string, want, got DType) string {
	m := map[string]func(name string, want, got DType) string{}
	for _, rule := range outRules {
		for _, name := range strings.Fields(rule.operators) {
			m[name] = rule.text
		}
	}
	return m
}()

// checkOutDType checks whether an operator can write its result into a tensor.
func checkOutDType(operator string, result, out DType) error {
	if text := outTexts[operator]; text != nil && result != out {
		return fail(RuntimeError, CodeDType, "%s", text(operator, result, out))
	}
	if canCast(result, out) {
		return nil
	}
	if operator == "cat" || operator == "stack" {
		return fail(RuntimeError, CodeDType, "torch.cat(): input types can't be cast to the desired output type %s", scalarTypeName(out))
	}
	return castError(result, out)
}
