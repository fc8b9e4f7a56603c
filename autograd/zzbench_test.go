package autograd
import "testing"
func BenchmarkSumSmall(b *testing.B){ x:=alloc(Float32,[]int{2,3}); for b.Loop(){ x.Sum() } }
func BenchmarkSumDimSmall(b *testing.B){ x:=alloc(Float32,[]int{2,3}); for b.Loop(){ x.Sum(Dim(1)) } }
func BenchmarkSumBig(b *testing.B){ x:=alloc(Float32,[]int{1000000}); for b.Loop(){ x.Sum() } }
func BenchmarkSumBigDim0(b *testing.B){ x:=alloc(Float32,[]int{1000,1000}); for b.Loop(){ x.Sum(Dim(0)) } }
func BenchmarkSumBigDim1(b *testing.B){ x:=alloc(Float32,[]int{1000,1000}); for b.Loop(){ x.Sum(Dim(1)) } }
