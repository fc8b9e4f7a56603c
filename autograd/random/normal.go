package random

import (
	"fmt"
	"math"

	"github.com/gradtui/gradtui/autograd/random/internal/libm"
)

// normalBlock is the number of elements from which on PyTorch fills a
// contiguous tensor with normals in blocks of this size.
const normalBlock = 16

// Normal fills dst, the elements of a contiguous tensor, with normally
// distributed numbers: torch.randn with mean 0 and std 1, torch.normal(mean,
// std, size), Tensor.normal_. It fails if std is negative or NaN.
//
// Fewer than 16 elements are drawn as by [NormalStrided]. From 16 elements on,
// the cached normal value is neither used nor changed, and a length that is not
// a multiple of 16 draws 16 more uniforms for the last 16 elements.
func Normal[T Float](g *Generator, dst []T, mean, std float64) error {
	if len(dst) < normalBlock {
		return NormalStrided(g, dst, mean, std)
	}
	if err := checkNormalStd(std); err != nil {
		return err
	}
	switch dst := any(dst).(type) {
	case []float32:
		fillBlocks(g, dst, float32(mean), float32(std), boxMuller32)
	case []float64:
		fillBlocks(g, dst, mean, std, boxMuller64)
	}
	return nil
}

// NormalRounded is Normal for elements with fewer significant binary digits
// than float32: each step of the computation is rounded to their type.
func NormalRounded(g *Generator, dst []float32, mean, std float64, digits int, round func(float32) float32) error {
	if len(dst) < normalBlock {
		return NormalStrided(g, dst, mean, std)
	}
	if err := checkNormalStd(std); err != nil {
		return err
	}
	fill := func(d []float32) {
		for i := range d {
			d[i] = round(float32(g.Uint32()&(1<<digits-1)) * float32(math.Ldexp(1, -digits)))
		}
	}
	center, width := round(float32(mean)), round(float32(std))
	transform := func(d []float32) {
		for j := range normalBlock / 2 {
			log := round(float32(libm.Log(float64(round(1 - d[j])))))
			r := round(float32(math.Sqrt(float64(round(-2 * log)))))
			sin, cos := libm.SinCos(float64(round(float32(2 * math.Pi * float64(d[j+8])))))
			d[j] = round(round(round(r*round(float32(cos)))*width) + center)
			d[j+8] = round(round(round(r*round(float32(sin)))*width) + center)
		}
	}
	fill(dst)
	n := len(dst)
	for i := 0; i+normalBlock <= n; i += normalBlock {
		transform(dst[i : i+normalBlock])
	}
	if n%normalBlock != 0 {
		fill(dst[n-normalBlock:])
		transform(dst[n-normalBlock:])
	}
	return nil
}

// NormalStrided fills dst, the elements in memory order of a non-contiguous
// tensor, with normally distributed numbers of float64 precision. Values come
// in pairs; the generator keeps the second one for the next draw, even across
// calls and element types, until it is seeded. It fails if std is negative or
// NaN.
func NormalStrided[T Float](g *Generator, dst []T, mean, std float64) error {
	if err := checkNormalStd(std); err != nil {
		return err
	}
	for i := range dst {
		dst[i] = T(math.FMA(g.standardNormal(), std, mean))
	}
	return nil
}

func checkNormalStd(std float64) error {
	if !(std >= 0) {
		return fmt.Errorf("normal expects std >= 0.0, but found std %v", number(std))
	}
	return nil
}

// standardNormal returns the cached normal value or the first of a new pair.
func (g *Generator) standardNormal() float64 {
	if g.hasNormal {
		v := g.normal
		g.hasNormal, g.normal = false, 0
		return v
	}
	u1 := g.Uniform64()
	u2 := g.Uniform64()
	r := math.Sqrt(-2 * libm.Log1p(-u2))
	sin, cos := libm.SinCos(2 * math.Pi * u1)
	g.hasNormal, g.normal = true, r*sin
	return r * cos
}

// fillBlocks fills dst, at least one block long, with uniforms and transforms
// them block by block. An incomplete last block is extended backwards, over
// finished elements, with new uniforms.
func fillBlocks[T Float](g *Generator, dst []T, mean, std T, transform func(block *[normalBlock]T, mean, std T)) {
	fillUnit(g, dst)
	n := len(dst)
	for i := 0; i+normalBlock <= n; i += normalBlock {
		transform((*[normalBlock]T)(dst[i:]), mean, std)
	}
	if n%normalBlock != 0 {
		last := dst[n-normalBlock:]
		fillUnit(g, last)
		transform((*[normalBlock]T)(last), mean, std)
	}
}

// boxMuller32 transforms 16 uniforms into 16 normals. Elements j < 8 and j+8
// are the radius and the angle of a point, whose coordinates replace them.
func boxMuller32(d *[normalBlock]float32, mean, std float32) {
	for j := range normalBlock / 2 {
		r := float32(math.Sqrt(float64(-2 * log32(1-d[j]))))
		sin, cos := sinCos32(float32(2*math.Pi) * d[j+8])
		d[j] = fma32(float32(r*cos), std, mean)
		d[j+8] = fma32(float32(r*sin), std, mean)
	}
}

// boxMuller64 is boxMuller32 for float64, with the C library's functions.
func boxMuller64(d *[normalBlock]float64, mean, std float64) {
	for j := range normalBlock / 2 {
		r := math.Sqrt(-2 * libm.Log(1-d[j]))
		sin, cos := libm.SinCos(2 * math.Pi * d[j+8])
		d[j] = math.FMA(float64(r*cos), std, mean)
		d[j+8] = math.FMA(float64(r*sin), std, mean)
	}
}
