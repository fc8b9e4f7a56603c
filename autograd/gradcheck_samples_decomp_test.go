package autograd

import "strings"

// decompositionSamples are the samples of functions of square matrices.
// Invertible matrices are close to a multiple of the identity; positive
// definite matrices are products of a matrix with itself.
var decompositionSamples = merged(map[string][]string{
	"block_diag":     {"tensors=2x2|1x3", "tensors=2|2x1|scalar"},
	"cartesian_prod": {"tensors=2|3", "tensors=3"},
	"vander":         {"x=3", "x=3 N=2 increasing=true"},
	"combinations":   {"self=3", "self=3 r=3 with_replacement=true"},
	"linalg_lu_solve": {
		"LU=2x2:eye pivots=$straight B=2x3", "LU=2x2:eye pivots=$swapped B=3x2 left=false adjoint=true",
		"LU=2x2:eye pivots=$swapped B=2x3 adjoint=true", "LU=2x2:eye pivots=$swapped B=3x2 left=false",
	},
	"cholesky_inverse":           {"self=3x3:small,eye,tril upper=false", "self=2x2:small,eye,triu upper=true"},
	"lu_solve":                   {"self=2x3 LU_data=2x2:eye LU_pivots=$swapped"},
	"lu_unpack":                  {"LU_data=3x3 LU_pivots=$three", "LU_data=3x2 LU_pivots=$swapped", "LU_data=2x3 LU_pivots=$swapped"},
	"linalg_qr":                  {"A=3x3:eye", "A=2x3x2", "A=2x3", "A=2x3 mode=complete"},
	"qr":                         {"self=2x3"},
	"linalg_householder_product": {"input=3x2 tau=2", "input=2x3x3 tau=2x2"},
	"orgqr":                      {"self=3x2 input2=2"},
	"ormqr":                      {"self=3x2 input2=2 input3=3x2", "self=3x2 input2=2 input3=2x3 left=false", "self=3x2 input2=2 input3=3x2 transpose=true", "self=2x3x2 input2=2x2 input3=2x2x3 left=false transpose=true"},
	"_linalg_eigh":               {"A=3x3:gram", "A=2x2x2:gram UPLO=U"},
	"linalg_eigh":                {"self=3x3:gram"},
	"linalg_eigvalsh":            {"self=3x3:gram"},
	"linalg_lu":                  {"A=3x3:eye", "A=2x3x2", "A=2x3"},
	"linalg_lu_factor_ex":        {"A=3x3:eye", "A=2x3x2", "A=2x3"},
	"linalg_lu_factor":           {"A=3x3:eye"},
	"_lu_with_info":              {"self=3x3:eye"},
	"_linalg_solve_ex":           {"A=3x3:eye B=3x2", "A=2x2:eye B=2", "A=2x2x2:eye B=2x2x1", "A=2x2:eye B=3x2 left=false"},
	"linalg_solve":               {"A=3x3:eye B=3x2", "A=2x2x2:eye B=2x2", "A=2x2:eye B=2x2x3"},
	"linalg_solve_ex":            {"A=3x3:eye B=3"},
	"linalg_solve_triangular": {
		"self=3x3:eye B=3x2 upper=false", "self=2x2x2:eye B=2x2 upper=true left=false", "self=3x3 B=3x2 upper=true unitriangular=true",
	},
	"triangular_solve":             {"self=3x2 A=3x3:eye,const", "self=3x2 A=3x3:eye,const upper=false transpose=true", "self=2x1 A=2x2:eye,const unitriangular=true"},
	"cholesky_solve":               {"self=3x2 input2=3x3:small,eye,tril upper=false", "self=2x1 input2=2x2:small,eye,triu upper=true"},
	"cholesky":                     {"self=3x3:gram", "self=2x2x2:gram upper=true"},
	"linalg_cholesky":              {"self=3x3:gram", "self=2x2x2:gram upper=true"},
	"_linalg_svd":                  {"A=3x3", "A=3x2", "A=2x3"},
	"linalg_svd":                   {"A=3x3 full_matrices=false", "A=2x2x3 full_matrices=false"},
	"svd":                          {"self=3x3"},
	"linalg_lstsq":                 {"self=3x2 b=3x1", "self=2x3 b=2x2", "self=3x2 b=3"},
	"pinverse":                     {"self=2x2:small,eye"},
	"linalg_pinv":                  {"self=3x2 rcond=0.001"},
	"linalg_pinv.atol_rtol_tensor": {"self=3x2", "self=2x3", "self=2x2x2", "self=3x2 rtol=scalar:const"},
	"linalg_pinv.atol_rtol_float":  {"self=3x2 rtol=0.001", "self=2x2:gram atol=0.001"},
	"linalg_pinv.rcond_tensor":     {"self=3x2 rcond=scalar:small,const"},
}, ofSquares(
	"linalg_cholesky_ex=self:gram", "_linalg_det=A:eye", "_linalg_slogdet=A:eye", "linalg_det=A:eye", "det=self:eye", "linalg_slogdet=A:eye", "slogdet=self:eye",
	"logdet=self:gram", "linalg_inv_ex=A:eye", "linalg_inv=A:eye", "inverse=self:eye", "linalg_matrix_exp=self:", "matrix_exp=self:",
), map[string][]string{
	"linalg_matrix_power": {"self=2x2 n=0", "self=2x2 n=1", "self=2x2 n=3", "self=2x2x2 n=4", "self=2x2:eye n=-2"},
	"matrix_power":        {"self=2x2 n=5", "self=2x2:eye n=-1"},
})

// ofSquares makes samples for operators with one square matrix as their
// argument.
func ofSquares(entries ...string) map[string][]string {
	samples := map[string][]string{}
	for _, entry := range entries {
		name, argument, _ := strings.Cut(entry, "=")
		param, domain, _ := strings.Cut(argument, ":")
		for _, shape := range []string{"3x3", "2x2x2"} {
			samples[name] = append(samples[name], param+"="+shape+":"+domain)
		}
	}
	return samples
}
