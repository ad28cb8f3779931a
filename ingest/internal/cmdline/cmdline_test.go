package cmdline

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func print(text string) string {
	c, problems := Parse(text)
	var b strings.Builder
	for _, e := range c.Env {
		fmt.Fprintf(&b, "%d env %s=%s\n", e.Off, e.Name, e.Value)
	}
	fmt.Fprintf(&b, "%q %q\n", c.Program, c.Sub)
	for _, a := range c.Args {
		fmt.Fprintf(&b, "%d %q\n", a.Off, a.Text)
	}
	for _, f := range c.Flags {
		fmt.Fprintf(&b, "%d %s %s\n", f.Off, f.Key(), f.Value)
	}
	if rest := strings.TrimSpace(text[c.End:]); rest != "" {
		fmt.Fprintf(&b, "rest %q\n", rest)
	}
	for _, p := range problems {
		fmt.Fprintf(&b, "%d problem %s\n", p.Off, p.Text)
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "vllm serve org/m --port 8000 --dtype=float16 --enforce-eager", `"vllm" "serve"
11 "org/m"
17 port 8000
29 dtype "float16"
45 enforce_eager true
`},
		{"continued with forgotten backslashes", "A_B=x vllm serve /models/m\n--tensor-parallel-size 4 \\\n--limit '{\"image\": 2}' \\ \n--trust-remote-code\n\nThis is prose about --flags.", `0 env A_B="x"
"vllm" "serve"
17 "/models/m"
27 tensor_parallel_size 4
54 limit {"image":2}
80 trust_remote_code true
rest "This is prose about --flags."
`},
		{"prose in the next line", "vllm serve m --port 1\nSettings were chosen", `"vllm" "serve"
11 "m"
13 port 1
rest "Settings were chosen"
`},
		{"module", "/usr/bin/python3 -m vllm.entrypoints.openai.api_server --model m -tp 2 --seed -1", `"vllm.entrypoints.openai.api_server" ""
55 model "m"
65 tp 2
71 seed -1
`},
		{"lists and repetitions", "vllm serve m --served-model-name a b --x 1 --x 2 --ids 1 2 3", `"vllm" "serve"
11 "m"
13 served_model_name ["a","b"]
37 x 1
43 x 2
49 ids [1,2,3]
`},
		{"model last", "vllm serve --port 8000 --enable-prefix-caching m", `"vllm" "serve"
47 "m"
11 port 8000
23 enable_prefix_caching true
`},
		{"switch with a word", "vllm serve m --enable-prefix-caching False --use-v2-block-manager true", `"vllm" "serve"
11 "m"
13 enable_prefix_caching false
43 use_v2_block_manager true
`},
		{"second command", "export A=1; vllm serve m", `7 env A="1"
"vllm" "serve"
23 "m"
`},
		{"pipe and redirection", "sudo vllm bench serve --model m > log.txt 2>&1 --x 1 | tee y --no", `"vllm" "bench serve"
22 model "m"
47 x 1
rest "| tee y --no"
`},
		{"another command", "vllm serve m --a &\nvllm bench serve --b", `"vllm" "serve"
11 "m"
13 a true
rest "&\nvllm bench serve --b"
`},
		{"double quotes", `vllm serve "a b" --t "say \"x\" \n" --u "$M"`, `"vllm" "serve"
11 "a b"
17 t "say \"x\" \\n"
36 u "$M"
`},
		{"comment", "# start\nvllm serve m # here\n--a 1", `"vllm" "serve"
19 "m"
28 a 1
`},
		{"no closing quote", "vllm serve m --x '{\"a\": 1", `"vllm" "serve"
11 "m"
13 x "{\"a\": 1"
17 problem a quotation mark is not closed
`},
		{"not a number", "p --a 007 --b 1.5.2 --c {x} --d null", `"p" ""
2 a "007"
10 b "1.5.2"
20 c "{x}"
28 d "null"
`},
		{"nothing", " \n", "\"\" \"\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, print(c.in)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("A=b vllm serve m --x '{\"a\": 1}' \\\n --y=1 | z")
	f.Add("p --a \\ \n\"q")
	f.Fuzz(func(t *testing.T, s string) {
		c, _ := Parse(s)
		for _, v := range append(c.Flags, c.Env...) {
			if !json.Valid(v.Value) {
				t.Errorf("%s = %q is no JSON", v.Name, v.Value)
			}
			if v.Off < 0 || v.Off >= len(s) {
				t.Errorf("%s: offset %d of %d", v.Name, v.Off, len(s))
			}
		}
	})
}

// Of a flag that stands several times the last one counts, but those that gather keep all that was given.
func TestLast(t *testing.T) {
	c, _ := Parse("vllm serve m --tensor-parallel-size 2 --port 1 --port 1 --lora-modules a " +
		"--lora-modules b --tensor_parallel_size=8")
	var got strings.Builder
	flags, problems := c.Last()
	for _, f := range flags {
		fmt.Fprintf(&got, "%d %s %s\n", f.Off, f.Key(), f.Value)
	}
	for _, p := range problems {
		fmt.Fprintf(&got, "%d problem %s\n", p.Off, p.Text)
	}
	want := `47 port 1
56 lora_modules "a"
73 lora_modules "b"
90 tensor_parallel_size 8
13 problem "tensor_parallel_size" stands several times, with different values: the last one counts: take the others out
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
