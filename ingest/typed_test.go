package ingest

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// A text that shows the command of a client above a result says how it was measured, and a sentence, a command with places
// to fill in, one in another section or of another measurement says nothing.
func TestTyped(t *testing.T) {
	const loaded = "bench --model org/M --num-prompts 8 --request-rate 2 --concurrency 4"
	for _, c := range []struct{ name, text, want string }{
		{"run.log", "$ bench -p 512\nRESULT\nRESULT\n", "1 bench -p 512|1 bench -p 512"},
		{"run.log", "a@b:~/c$ A=1 python3 -m x.bench --n 1 2 4 | tee log\r\nRESULT", "1 A=1 python3 -m x.bench --n 1 2 4"},
		{"run.log", "+ uvx bench==0.4.0 --n 1 \\\n  --m 'a b'\nload\nRESULT\n++ ./bin/bench.py --n=2\nRESULT\n",
			"1 uvx bench==0.4.0 --n 1 \\\n  --m 'a b'|5 ./bin/bench.py --n=2"},
		{"run.log", "bench --n 1\nRESULT\n\n\nRESULT\n\n\n\nRESULT\n", "1 bench --n 1|1 bench --n 1|"},
		{"run.log", "bench --n 1\nbench --n 2\nRESULT\n", "2 bench --n 2"},
		{"run.log", "docker ` bench --n 1\nx ❯ bench --n 2\n---\nRESULT\n", "2 bench --n 2"},
		{"run.log", "RESULT\n$ bench --n 1\n", ""},
		{"run.log", "bench (0.4.0)\nWe ran bench --n 1\nbench shows --n\nbench\nbenchy --n 1\nbench --n $N\nbench --n <n>\nbench --n '1\nRESULT\n", ""},
		{"run.log", loaded + "\nRESULT org/M 8 2 4\nRESULT M 7\nRESULT org/N\nRESULT - 9\nRESULT - 8 3\nRESULT - 8 2 5\n",
			"1 " + loaded + "|1 " + loaded + "||||"},
		{"run.log", "bench --model org/M --served-model-name m\nRESULT m\n", "1 bench --model org/M --served-model-name m"},
		{"run.log", "bench --n " + strings.Repeat("x", longestCommand) + "\nRESULT\n", ""},
		{"run.md", "# Run\n## Command\n```bash\nbench --n 1\n```\n## Results\nRESULT\n## Others\nRESULT\n", "4 bench --n 1|"},
		{"run.md", "## A\n### Run\n```\nbench --n 1\n```\n## B\nRESULT\n", ""},
		{"run.md", "bench --n 1\nRESULT\n$ bench --n 2\nRESULT\n", "|3 bench --n 2"},
		{"run.md", "```\nbench --n 1\nbench --n 2\n```\nRESULT\n", ""},
	} {
		src := reading.NewSource(c.name, []byte(c.text))
		var results []record.Record
		n := 0
		for l := range bytes.Lines(src.Data) {
			n++
			words := strings.Fields(string(l))
			if len(words) == 0 || words[0] != "RESULT" {
				continue
			}
			res := &record.Result{Base: record.Base{At: record.Pos{File: c.name, Line: n}}}
			for i, w := range words[1:] {
				x, _ := strconv.ParseInt(w, 10, 64)
				switch i {
				case 0:
					res.Identity.Model = strings.Trim(w, "-")
				case 1:
					res.Completed = &x
				case 2:
					rate := record.Float(x)
					res.Load.Rate = &rate
				case 3:
					res.Load.MaxConcurrency = &x
				}
			}
			results = append(results, res)
		}
		typed(src, []string{"bench"}, results)
		var got []string
		for _, r := range results {
			said := ""
			for _, f := range r.Header().Facts {
				said = strconv.Itoa(f.At.Line) + " " + f.Value
			}
			got = append(got, said)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, s, c.want)
		}
	}
}
