package autograd
import ("testing";"strings";"flag";"path/filepath";"encoding/json")
var dbg = flag.String("dbg","","")
var fz = flag.String("fz","","")
func TestDbg(t *testing.T){
 for _,f := range []string{"shape","indexing","scatter","creation","inplace"} {
 for _,c := range readVectors(t,"testdata/ops/"+f+".jsonl") { if c.ID==*dbg { for _,d := range runVector(c) { t.Log(d) } } } }
}
func TestFz(t *testing.T){
 files,_ := filepath.Glob(*fz)
 n,bad:=0,0
 for _,f := range files { for _,c := range readVectors(t,f) { n++; d:=keep(runVector(c)); if len(d)>0 && d[0]!="missing operator" && !(len(d)==1 && d[0][:8]=="warnings") { bad++; a,_:=json.Marshal(c.Args); k,_:=json.Marshal(c.Kwargs); t.Logf("%s %s(%s %s)",c.ID,c.Fn,a,k); for i,x:=range d { if i<3 || len(x)<6 || x[:5]=="error" { if len(x)>300 {x=x[:300]}; t.Log("      ",x) } } } } }
 t.Log(n,"cases",bad,"bad")
}

func keep(d []string) (out []string) {
	for _,x := range d { if strings.HasPrefix(x,"warnings") || strings.Contains(x,"nullptr (uninit") || strings.Contains(x,"ntensor") {continue}; out=append(out,x)}
	return
}
