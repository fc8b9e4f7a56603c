package autograd
import ("testing";"fmt")
func TestZZ(t *testing.T){
 lp:=one(Call("linspace",[]any{-2.0,1.5,48})).Reshape([]int{6,2,4}).Sin().LogSoftmax(2).Detach()
 lp.SetRequiresGrad(true)
 run:=func(tg any, in any, tl any, kw ...Option){ o,err:=Call("nn_functional_ctc_loss",[]any{lp,tg,in,tl},kw...); if err!=nil{fmt.Println(err);return}; g,err:=Grad([]*Tensor{o[0].Sum()},[]*Tensor{lp}); fmt.Println(valuesOf(o[0]),err,valuesOf(g[0])[:12])}
 tg:=New([][]int64{{1,2,2},{3,1,0}}); il:=New([]int64{6,5}); tl:=New([]int64{3,2})
 run(tg,il,tl); run(tg,il,tl,Kw("reduction","sum")); run(tg,il,tl,Kw("reduction","none")); run(New([][]int64{{1,2,2},{0,1,0}}),il,tl,Kw("blank",3))
 run(New([]int64{1,2,2,3,1}),[]int{6,5},[]int{3,2})
 run(tg,[]int{2,5},[]int{3,2},Kw("zero_infinity",true))
}
