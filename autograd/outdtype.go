package autograd

import "fmt"

// Most operators write a result into an out= tensor of any dtype to which it
// can be cast. The others require the dtype of the result and raise one of
// these errors (see [Op].OutDType).

func foundDType(_ string, want, got DType) string {
	return fmt.Sprintf("Found dtype %s but expected %s", scalarTypeName(got), scalarTypeName(want))
}

func expectedOutDType(_ string, want, got DType) string {
	return fmt.Sprintf("Expected out tensor to have dtype %s, but got %s instead", cTypeNames[want], cTypeNames[got])
}

func expectedScalarType(_ string, want, got DType) string {
	return fmt.Sprintf("expected scalar_type %s but found %s", scalarTypeName(want), scalarTypeName(got))
}

func matchingDType(_ string, want, got DType) string {
	return fmt.Sprintf("Expected the dtype for input and out to match, but got %s for input's dtype and %s for out's dtype.", scalarTypeName(want), scalarTypeName(got))
}

func onlyBoolean(name string, _, _ DType) string {
	return name + " does not support non-boolean outputs."
}

func medianDType(_ string, want, got DType) string {
	return fmt.Sprintf("Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; but type %s does not equal %s (while checking arguments for median)", typeString(got), typeString(want))
}

func dotDType(_ string, want, got DType) string {
	return fmt.Sprintf("result dtype %s does not match input dtype %s", scalarTypeName(got), scalarTypeName(want))
}

func selfDType(name string, _, _ DType) string {
	return name + "(): self and result must have the same scalar type"
}

func tensordotDType(_ string, want, got DType) string {
	return fmt.Sprintf("tensordot: Expected the output tensor to have dtype %s, but got an output tensor with dtype %s", scalarTypeName(want), scalarTypeName(got))
}

func nanToNumDType(_ string, want, got DType) string {
	return fmt.Sprintf("nan_to_num: dtype of out: %s should be same as input: %s", scalarTypeName(got), scalarTypeName(want))
}

func whereDType(_ string, want, got DType) string {
	return fmt.Sprintf("Expected out type to be %s but got %s", scalarTypeName(want), scalarTypeName(got))
}

func takeDType(_ string, want, got DType) string {
	return fmt.Sprintf("take(): self and out expected to have the same dtype, but got self.dtype = %s and out.dtype = %s", scalarTypeName(want), scalarTypeName(got))
}

func kthvalueDType(string, DType, DType) string {
	return "output values must be of same type as input"
}

func modeDType(_ string, want, got DType) string {
	return fmt.Sprintf("expected scalar type '%s' but got '%s' for values output", scalarTypeName(want), scalarTypeName(got))
}

func nonzeroDType(_ string, want, got DType) string {
	return fmt.Sprintf("nonzero: Expected out tensor to have scalar type %s but got scalar type%s", scalarTypeName(want), scalarTypeName(got))
}

func quantileDType(name string, _, _ DType) string {
	return name + "() out tensor must be same dtype as the input tensor"
}

func multinomialDType(_ string, want, got DType) string {
	return fmt.Sprintf("multinomial expects %s tensor out, got: %s", scalarTypeName(want), scalarTypeName(got))
}

func histcDType(_ string, want, got DType) string {
	return fmt.Sprintf("torch.histogram: input tensor and hist tensor should have the same dtype, but got input %s and hist %s", cTypeNames[want], cTypeNames[got])
}

func onlyBool(name string, _, got DType) string {
	return fmt.Sprintf("%s only supports bool tensor for result, got: %s", name, scalarTypeName(got))
}

// checkOutDType checks whether the operator can write its result into a tensor.
func (o *Op) checkOutDType(result, out DType) error {
	name := o.schema.Name
	if o.OutDType != nil && result != out {
		return fail(RuntimeError, CodeDType, "%s", o.OutDType(name, result, out))
	}
	if canCast(result, out) {
		return nil
	}
	if name == "cat" || name == "stack" {
		return fail(RuntimeError, CodeDType, "torch.cat(): input types can't be cast to the desired output type %s", scalarTypeName(out))
	}
	return castError(result, out)
}
