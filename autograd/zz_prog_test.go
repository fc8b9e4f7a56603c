package autograd
import ("testing";"bufio";"os";"encoding/json";"fmt";"strings";"path/filepath";"reflect";"math")
type progState struct { order []string; T map[string]*Tensor }
func k(v any) string { return fmt.Sprint(v) }
func TestProg(t *testing.T){
 files,_ := filepath.Glob(*fz); n,bad:=0,0
 for _,file := range files {
  f,_ := os.Open(file); sc := bufio.NewScanner(f); sc.Buffer(nil,1<<24)
  for sc.Scan() {
   var rec struct { Prog [][]any; Log [][]any }
   if err:=json.Unmarshal(sc.Bytes(),&rec); err!=nil {t.Fatal(err)}
   n++
   if d := runProg(rec.Prog, rec.Log); d!="" { bad++; if bad<=40 { p:=""; for _,s := range rec.Prog { b,_:=json.Marshal(s); p+="\n        "+string(b) }; t.Logf("%s #%d %s\n%s",file,n,d,p) } }
  }
 }
 t.Log(n,"programs",bad,"bad")
}
func runProg(prog [][]any, log [][]any) (diff string) {
 step:=-1
 defer func(){ if r:=recover(); r!=nil { diff=fmt.Sprint("PANIC step ",step," ",r) } }()
 s := &progState{T: map[string]*Tensor{}}
 put := func(key any, x *Tensor){ id:=k(key); if _,ok:=s.T[id]; !ok { s.order=append(s.order,id) }; s.T[id]=x }
 before := OnWarning; OnWarning=func(Warning){}; defer func(){OnWarning=before}()
 var keyErr bool
 arg := func(a any) any {
  if l,ok := a.([]any); ok { switch l[0] { case "n": f:=l[1].(float64); if f==math.Trunc(f) && a!=nil { return num(l[1]) }; return f; case "l": var o []int; for _,x := range l[1].([]any) { o=append(o,int(x.(float64))) }; return o } }
  x,ok := s.T[k(a)]; if !ok { keyErr=true; return nil }; return x }
 for i,st := range prog {
  step=i
  keyErr=false
  var err error
  body := func() {
   switch st[0] {
   case "leaf":
    var sizes []int; for _,x := range st[2].([]any) { sizes=append(sizes,int(x.(float64))) }
    x := alloc(Float32,sizes); for j,v := range st[3].([]any) { x.setElement(j,FloatScalar(v.(float64))) }
    x.RequiresGrad_(st[4].(bool)); put(st[1],x)
   case "call":
    var args []any; for _,a := range st[3].([]any) { args=append(args,arg(a)) }
    if keyErr {return}
    switch st[2] { case "data": put(st[1],args[0].(*Tensor).Data()); return
    case "alias": x := args[0].(*Tensor).Index(Ellipsis); if e:=x.Err(); e!=nil { err=e } else { put(st[1],x) }; return }
    fn,ok := Lookup(st[2].(string)); if !ok { panic("no "+st[2].(string)) }
    outs,e := fn.CallMethod(args); err=e; if e==nil { put(st[1],outs[0]) }
   case "getitem":
    x := arg(st[2]); if keyErr {return}
    sl := st[3].([]any); y := x.(*Tensor).Index(Slice{num(sl[0]),num(sl[1]),num(sl[2])}); if e:=y.Err(); e!=nil {err=e} else {put(st[1],y)}
   case "multi":
    var args []any; for _,a := range st[3].([]any) { args=append(args,arg(a)) }
    if keyErr {return}
    fn,_ := Lookup(st[2].(string)); outs,e := fn.CallMethod(args); err=e
    if e==nil { if len(outs)==0 { err=fmt.Errorf("EMPTY"); return }; ids:=st[1].([]any); put(ids[0],outs[0]); put(ids[1],outs[len(outs)-1]) }
   case "inplace":
    var args []any; for _,a := range st[2].([]any) { args=append(args,arg(a)) }
    if keyErr {return}
    if st[1]=="detach_" { err=args[0].(*Tensor).Detach_(); return }
    fn,ok := Lookup(st[1].(string)); if !ok { panic("no "+st[1].(string)) }
    _,err = fn.CallMethod(args)
   case "setitem":
    x := arg(st[1]); v := arg(st[3]); if keyErr {return}
    err = x.(*Tensor).SetIndex(v,num(st[2]))
   case "maskfill":
    x := arg(st[1]); if keyErr {return}
    err = x.(*Tensor).MaskedFill_(x.(*Tensor).Gt(0),1.0)
   case "retain": x:=arg(st[1]); if keyErr {return}; err = x.(*Tensor).RetainGrad()
   case "backward": x:=arg(st[1]); if keyErr {return}; t:=x.(*Tensor); g := t.OnesLike(); if st[2].(bool) { err=t.Backward(Gradient(g),RetainGraph) } else { err=t.Backward(Gradient(g)) }
   }
  }
  ng,_ := st[len(st)-1].(bool)
  if ng && st[0]!="leaf" && st[0]!="backward" { NoGrad(body) } else { body() }
  got := ""
  if keyErr { got="KEY" } else if err!=nil { e:=asError(err); got=string(e.Type)+": "+e.Text }
  want,_ := log[i][0].(string)
  if got!=want { return fmt.Sprintf("step %d %v: error got %q want %q",i,st,got,want) }
  states := log[i][1].(map[string]any)
  for _,id := range s.order {
   x := s.T[id]; w := states[id].(map[string]any)
   g := map[string]any{}
   _,e := x.GradFn(); if e!=nil { g["leaf"]="ERR" } else { g["leaf"]=x.IsLeaf() }
   if e!=nil { g["graph"]="ERR "+asError(e).Text } else { g["graph"]=graphText(x); if g["graph"]=="None" {g["graph"]=""} }
   g["shape"]=ints(x.sizes); g["stride"]=ints(x.strides); g["offset"]=float64(x.offset); g["version"]=float64(x.version.v); g["rg"]=x.RequiresGrad(); g["view"]=x.IsView(); g["nr"]=float64(x.outputNr)
   var vals []any = []any{}; for j:=range x.Numel() { vals=append(vals,x.element(x.at(j)).Float()) }; g["values"]=vals
   if x.grad!=nil { gv:=[]any{}; for j:=range x.grad.Numel() { gv=append(gv,x.grad.element(x.grad.at(j)).Float()) }; g["grad"]=[]any{gv,float64(x.grad.version.v)} } else { g["grad"]=nil }
   for key,v := range g { if !near(v,w[key]) { return fmt.Sprintf("step %d %v: tensor %s %s got %v want %v",i,st,id,key,v,w[key]) } }
  }
 }
 return ""
}
func near(a,b any) bool {
 switch x := a.(type) { case float64: y,ok := b.(float64); return ok && (x==y || math.Abs(x-y)<=1e-5*math.Abs(y)+1e-6 || x!=x && y!=y || math.Abs(x)>1e30)
 case []any: y,ok := b.([]any); if !ok||len(x)!=len(y) {return false}; for i:=range x { if !near(x[i],y[i]) {return false} }; return true }
 return reflect.DeepEqual(a,b)
}
func ints(l []int) []any { o:=[]any{}; for _,x := range l { o=append(o,float64(x)) }; return o }
func num(v any) any { if v==nil {return nil}; if f,ok:=v.(float64); ok { if f==math.Trunc(f) { return int(f) }; return f }; return v }
var _ = strings.Cut
