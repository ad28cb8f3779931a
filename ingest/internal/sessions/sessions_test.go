package sessions

import (
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/record"
)

func TestVariant(t *testing.T) {
	goldentest.Table(t, Variant, map[string]string{
		"agg_n50_in128_out64_c32":         "agg",
		"pd_1p1d_n100_in2048_out512_c128": "pd-1p1d",
		"sglang_1204_1000_1024_512":       "sglang",
		"tiny_1k8k_conc4":                 "tiny",
		"no_load here":                    "no_load here", // stays as written
		"default":                         "default",
		"bs4":                             "",
		"llama_run2":                      "llama",
		"rep-03_c8":                       "rep",
		"r1distill_c8":                    "r1distill", // a model's name is no repetition
		"":                                "",

		"vllm-16.0qps-concurrency8-Tiny-1.5B-20250101-120000": "vllm-Tiny-1.5B",
		"vllm-infqps-Tiny-1.5B-20250101-120500":               "vllm-Tiny-1.5B",
		"1p3d_conc128_in2048_out128_20250923_033738":          "1p3d",
		"serving_tiny_tp4_sharegpt_qps_16":                    "serving-tiny-tp4-sharegpt",
		"serving_tiny_tp4_sharegpt_qps_inf_concurrency_200":   "serving-tiny-tp4-sharegpt",
		"run=3":               "",
		"bench_tp_2_c8":       "bench-tp-2", // a server of its own
		"bench_v_1":           "bench_v_1",
		"tiny_1k8k_fp8_conc4": "tiny-fp8",
		"16users":             "",
		"tiny_clients32":      "tiny",
		"tiny-8concurrent":    "tiny",
		"tiny-power-users":    "tiny-power-users",
	})
}

func TestSplit(t *testing.T) {
	for _, c := range []struct{ file, folder, name string }{
		{"a/b/x.json", "a/b", "x.json"},
		{"x.json", "", "x.json"},
		{"a/r.zip!x.json", "a/r.zip!", "x.json"},
		{"a/r.zip!d/x.json", "a/r.zip!d", "x.json"},
		{"a/x.json.gz!x.json", "a", "x.json"},
		{"a/r.tar.gz!d/x.json", "a/r.tar.gz!d", "x.json"},
		{"r.zip!d/x.json.zst!x.json", "r.zip!d", "x.json"},
	} {
		if folder, name := Split(c.file); folder != c.folder || name != c.name {
			t.Errorf("Split(%q) = %q, %q, want %q, %q", c.file, folder, name, c.folder, c.name)
		}
	}
}

// The order of a setup tells no runs apart, its words do.
func TestKey(t *testing.T) {
	session := func(setup ...record.KV) string { return Key("t", "c", &record.Result{Setup: setup}) }
	a, b := record.KV{Key: "a", Value: "1"}, record.KV{Key: "b", Value: "2"}
	if session(a, b) != session(b, a) {
		t.Error("two orders of one setup are two sessions")
	}
	for _, other := range []string{session(a), session(record.KV{Key: "a", Value: "1b2"}),
		session(record.KV{Key: "a1", Value: ""}, b)} {
		if other == session(a, b) {
			t.Error("two setups are one session")
		}
	}
	if Setup([]record.KV{a, b}) == Setup([]record.KV{b, a}) {
		t.Error("a setup as a text has lost its order")
	}
}

// Numbers of repetitions are left out of paths, those of jobs, models and configurations are not.
func TestUnnumbered(t *testing.T) {
	goldentest.Table(t, Unnumbered, map[string]string{
		"out/run1/result":         "out//result",
		"out/run_2/rep-03/result": "out///result",
		"out/sweep_run3.jsonl":    "out/sweep_.jsonl",
		"r1/a":                    "/a",
		"deepseek-r1/a":           "deepseek-r1/a",
		"run-1234567/a":           "run-1234567/a",
		"prerun1/a":               "prerun1/a",
		"a.zip!trial 2/b":         "a.zip!/b",
	})
}
