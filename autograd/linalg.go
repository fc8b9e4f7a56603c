package autograd

import "fmt"

// The checks of the operators of torch.linalg, with the texts of
// aten/src/ATen/native/LinearAlgebraUtils.h and BatchLinearAlgebra.cpp.

// linAlgError is torch.linalg.LinAlgError as tracebacks print it.
const linAlgError ErrorType = "_LinAlgError"

// checkMatrices is checkIsMatrix.
func checkMatrices(t *Tensor, name, argument string) *Error {
	if len(t.sizes) < 2 {
		return fail(RuntimeError, CodeShape, "%s: The input tensor %s must have at least 2 dimensions.", name, argument)
	}
	return nil
}

// checkSquare is squareCheckInputs.
func checkSquare(t *Tensor, name string) *Error {
	if err := checkMatrices(t, name, "A"); err != nil {
		return err
	}
	if n := len(t.sizes); t.sizes[n-1] != t.sizes[n-2] {
		return fail(RuntimeError, CodeShape, "%s: A must be batches of square matrices, but they are %d by %d matrices", name, t.sizes[n-2], t.sizes[n-1])
	}
	return nil
}

// hasLAPACK reports whether LAPACK supports a dtype.
func hasLAPACK(d DType) bool { return d == Float32 || d == Float64 }

// checkPrecise is checkFloatingOrComplex for operators that use LAPACK. kernel
// is the name of a kernel that itself refuses the 16-bit dtypes; it may be
// empty.
func checkPrecise(t *Tensor, name, kernel string) *Error {
	if err := checkFloating(name, t); err != nil {
		return err
	}
	switch {
	case hasLAPACK(t.dtype):
		return nil
	case kernel != "":
		return undefined(kernel, t.dtype)
	}
	return fail(RuntimeError, CodeDType, "%s: Low precision dtypes not supported. Got %s", name, scalarTypeName(t.dtype))
}

// checkEquation is checkInputsSolver.
func checkEquation(a, b *Tensor, left bool, name string) *Error {
	if err := checkSquare(a, name); err != nil {
		return err
	}
	if err := checkMatrices(b, name, "B"); err != nil {
		return err
	}
	n, m := len(a.sizes), len(b.sizes)
	rows, cols := b.sizes[m-2], b.sizes[m-1]
	equation, fits := "XA = B", a.sizes[n-1] == cols
	if left {
		equation, fits = "AX = B", a.sizes[n-2] == rows
	}
	if !fits {
		return fail(RuntimeError, CodeShape, "%s: Incompatible shapes of A and B for the equation %s (%dx%d and %dx%d)", name, equation, a.sizes[n-2], a.sizes[n-1], rows, cols)
	}
	return nil
}

// broadcastMatrices broadcasts the batch dimensions of two tensors of matrices.
func broadcastMatrices(a, b *Tensor) (*Tensor, *Tensor, *Error) {
	batch, err := broadcastSizes(a.sizes[:len(a.sizes)-2], b.sizes[:len(b.sizes)-2])
	if err != nil {
		return nil, nil, err
	}
	return expandedMatrices(a, batch), expandedMatrices(b, batch), nil
}

// checkLAPACK converts the first info value that is not 0 into an error
// (_linalg_check_errors). format takes the info value.
func checkLAPACK(info []int, name string, matrix bool, format string) error {
	for i, n := range info {
		if n == 0 {
			continue
		}
		where := ""
		if !matrix {
			where = fmt.Sprintf(": (Batch element %d)", i)
		}
		if format == singularSystem {
			return fail(linAlgError, CodeArgument, "%s%s: %s", name, where, format)
		}
		return fail(linAlgError, CodeArgument, "%s%s: "+format, name, where, n)
	}
	return nil
}

// Texts for LAPACK's info values.
const (
	singularSystem      = "The solver failed because the input matrix is singular."
	singularMatrix      = "The diagonal element %d is zero, the inversion could not be completed because the input matrix is singular."
	notPositiveDefinite = "The factorization could not be completed because the input is not positive-definite (the leading minor of order %d is not positive-definite)."
)

// infoTensor returns LAPACK's info values as operators return them.
func infoTensor(info []int, batch []int) *Tensor {
	t := alloc(Int32, batch)
	for i, n := range info {
		t.setElement(i, IntScalar(int64(n)))
	}
	return t
}

// infoOf reads the info values from a tensor.
func infoOf(t *Tensor) []int {
	var list []int
	for _, n := range t.Int64s() {
		list = append(list, int(n))
	}
	return list
}

// checkSquareFloats checks the argument of a decomposition of square matrices.
func checkSquareFloats(t *Tensor, name, kernel string) error {
	if err := checkSquare(t, name); err != nil {
		return err
	}
	if err := checkPrecise(t, name, kernel); err != nil {
		return err
	}
	return nil
}
