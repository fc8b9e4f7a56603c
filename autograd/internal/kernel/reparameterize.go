package kernel

import "math"

// Derivatives of samples with respect to the parameters of their distribution:
// a gamma variable by its shape, a coordinate of a Dirichlet variable by its
// concentration. They follow from implicit differentiation of the distribution
// function, which is approximated where it has no closed form (M. Figurnov and
// others, "Implicit reparameterization gradients", 2018; M. Jankowiak and F.
// Obermeyer, "Pathwise derivatives beyond the reparameterization trick", 2018).
// The ranges and approximations are PyTorch's.

// GammaGrad returns the derivative of a sample x of a gamma distribution with
// respect to its shape alpha.
func GammaGrad(alpha, x float64) float64 {
	switch {
	case x < float64(float32(0.8)):
		return gammaGradSmall(alpha, x)
	case alpha > 8:
		return gammaGradLarge(alpha, x)
	}
	u, v := math.Log(x/alpha), math.Log(alpha)
	var c [8]float64
	for i := range c {
		c[i] = gammaRational[0][i] + u*(gammaRational[1][i]+u*gammaRational[2][i])
	}
	p := c[0] + v*(c[1]+v*(c[2]+v*c[3]))
	q := c[4] + v*(c[5]+v*(c[6]+v*c[7]))
	return math.Exp(p / q)
}

// gammaRational holds the coefficients of a quotient of polynomials in v; each
// coefficient is a polynomial in u.
var gammaRational = [3][8]float64{
	{0.16009398, -0.094634809, 0.025146376, -0.0030648343, 1, 0.32668115, 0.10406089, 0.0014179084},
	{0.53487893, 0.1298071, 0.065735949, -0.0015649758, 0.16639465, 0.020070113, -0.0035938915, -0.00058392623},
	{0.040121004, -0.0065914022, -0.0026286047, -0.0013441777, 0.017050642, -0.0021309326, 0.00085092367, -1.5247877e-07},
}

// gammaGradSmall sums a Taylor series.
func gammaGradSmall(alpha, x float64) float64 {
	numerator, denominator := 1.0, alpha
	first, second := 1/denominator, 1/(denominator*denominator)
	for i := 1; i <= 5; i++ {
		numerator *= -x / float64(i)
		denominator++
		first += numerator / denominator
		second += numerator / (denominator * denominator)
	}
	power := math.Pow(x, alpha)
	density := math.Pow(x, alpha-1) * math.Exp(-x)
	byAlpha := (math.Log(x)-Digamma(alpha))*(power*first) - power*second
	return orZero(-byAlpha / density)
}

// gammaGradLarge computes Rice's saddle point expansion.
func gammaGradLarge(alpha, x float64) float64 {
	if float64(float32(0.9))*alpha <= x && x <= float64(float32(1.1))*alpha {
		first := 1 + 24*alpha*(1+12*alpha)
		second := 1440*(alpha*alpha) + 6*x*(53-120*x) - 65*x*x/alpha + alpha*(107+3600*x)
		return first * second / (1244160 * (alpha * alpha) * (alpha * alpha))
	}
	denominator := math.Sqrt(8 * alpha)
	linear := denominator / (alpha - x)
	root := math.Pow(x-alpha-alpha*math.Log(x/alpha), -1.5)
	sum := linear + root
	if x < alpha {
		sum = linear - root
	}
	first := math.Log(x/alpha)*sum - math.Sqrt(2/alpha)*(alpha+x)/((alpha-x)*(alpha-x))
	stirling := 1 + 1/(12*alpha)*(1+1/(24*alpha))
	return -stirling * (x * first) / denominator
}

// DirichletGrad returns the derivative of a coordinate x of a Dirichlet sample
// with respect to its concentration alpha. total is the sum of the
// concentrations. single says that the numbers are float32; PyTorch then sums
// the series in float32.
func DirichletGrad(x, alpha, total float64, single bool) float64 {
	if single {
		return dirichletGrad(float32(x), float32(alpha), float32(total))
	}
	return dirichletGrad(x, alpha, total)
}

func dirichletGrad[T float32 | float64](x, alpha, total T) float64 {
	beta := total - alpha
	boundary := total * x * (1 - x)
	switch {
	case x <= 0.5 && boundary < 2.5:
		return float64(betaGradAlphaSmall(x, alpha, beta))
	case x >= 0.5 && boundary < 0.75:
		return float64(-betaGradBetaSmall(1-x, beta, alpha))
	case alpha > 6 && beta > 6:
		return betaGradAlphaMiddle(float64(x), float64(alpha), float64(total)-float64(alpha))
	}
	return betaGradRational(float64(x), float64(alpha), float64(total))
}

// betaGradAlphaSmall sums a Taylor series of the derivative by alpha, for a
// beta variable close to zero.
func betaGradAlphaSmall[T float32 | float64](x, alpha, beta T) T {
	factor := T(Digamma(float64(alpha))) - T(Digamma(float64(alpha+beta))) - logOf(x)
	numerator := T(1)
	series := numerator / alpha * (factor + 1/alpha)
	for i := T(1); i <= 10; i++ {
		numerator *= (i - beta) * x / i
		denominator := alpha + i
		series += numerator / denominator * (factor + 1/denominator)
	}
	return orZero(x * powOf(1-x, -beta) * series)
}

// betaGradBetaSmall sums the series of the derivative by beta.
func betaGradBetaSmall[T float32 | float64](x, alpha, beta T) T {
	factor := T(Digamma(float64(alpha+beta))) - T(Digamma(float64(beta)))
	numerator, betas, byBeta, series := T(1), T(1), T(0), factor/alpha
	for i := T(1); i <= 8; i++ {
		numerator *= -x / i
		byBeta = byBeta*(beta-i) + betas
		betas *= beta - i
		series += numerator / (alpha + i) * (byBeta + factor*betas)
	}
	return orZero(-powOf(1-x, 1-beta) * series)
}

// betaGradAlphaMiddle computes Rice's saddle point expansion, for large alpha
// and beta.
func betaGradAlphaMiddle(x, alpha, beta float64) float64 {
	total := alpha + beta
	mean := alpha / total
	std := math.Sqrt(alpha*beta/(total+1)) / total
	if mean-0.1*std <= x && x <= mean+0.1*std {
		// Use a polynomial near the singularity at the mean.
		b2 := beta * beta
		poly := 47*x*b2*b2 + alpha*((43+20*(16+27*beta)*x)*b2*beta+alpha*(3*(59+180*beta-90*x)*b2+
			alpha*((453+1620*beta*(1-x)-455*x)*beta+alpha*(8*(1-x)*(135*beta-11)))))
		above := (1 + 12*alpha) * (1 + 12*beta) / (total * total)
		below := 12960 * alpha * alpha * alpha * b2 * (1 + 12*total)
		return above / (1 - x) * poly / below
	}
	prefactor := -x / math.Sqrt(2*alpha*beta/total)
	stirling := stirlingFactor(alpha) * stirlingFactor(beta) / stirlingFactor(total)
	distance := alpha*(x-1) + beta*x
	above := 2*(alpha*alpha)*(x-1) + alpha*beta*(x-1) - x*(beta*beta)
	first := above / (math.Sqrt(2*alpha/beta) * math.Pow(total, 1.5) * distance * distance)
	second := 0.5 * math.Log(alpha/(total*x))
	third := math.Sqrt(8*alpha*beta/total) / (beta*x + alpha*(x-1))
	fourth := math.Pow(beta*math.Log(beta/(total*(1-x)))+alpha*math.Log(alpha/(total*x)), -1.5)
	if x >= mean {
		fourth = -fourth
	}
	return stirling * prefactor * (first + second*(third+fourth))
}

func stirlingFactor(v float64) float64 { return 1 + 1/(12*v) + 1/(288*v*v) }

// betaGradRational corrects an analytic approximation with a quotient of
// polynomials.
func betaGradRational(x, alpha, total float64) float64 {
	u := math.Log(x)
	a := math.Log(alpha) - u
	b := math.Log(total) - a
	powers := func(v float64) [3]float64 { return [3]float64{1, v, v * v} }
	us, as := powers(u), powers(a)
	var sums [2]float64
	for i := range 3 {
		for j := range 3 {
			for k := range sums {
				c := &betaRational[k][i][j]
				sums[k] += us[i] * as[j] * (c[0] + b*(c[1]+b*(c[2]+b*c[3])))
			}
		}
	}
	approximate := x * (Digamma(total) - Digamma(alpha)) / (total - alpha)
	return sums[0] / sums[1] * approximate
}

// betaRational holds the coefficients of the numerator and the denominator, by
// the powers of u, a and b.
var betaRational = [2][3][3][4]float64{
	{
		{
			{1.003668233, -0.01061107488, -0.0657888334, 0.01201642863},
			{0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033},
			{-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013},
		},
		{
			{0.221950385, -0.3187676331, 0.01799915743, 0.01074823814},
			{-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057},
			{0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05},
		},
		{
			{-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565},
			{0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181},
			{0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05},
		},
	},
	{
		{
			{1, -0.02924021934, -0.04438342661, 0.007285809825},
			{0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521},
			{-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149},
		},
		{
			{0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273},
			{0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956},
			{-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05},
		},
		{
			{0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05},
			{0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05},
			{-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06},
		},
	},
}

func orZero[T float32 | float64](v T) T {
	if v != v {
		return 0
	}
	return v
}

func logOf[T float32 | float64](x T) T { return T(math.Log(float64(x))) }

func powOf[T float32 | float64](x, y T) T { return T(math.Pow(float64(x), float64(y))) }
