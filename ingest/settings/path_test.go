package settings

import (
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

// named is what a name says, where that is nothing or not empty.
func named(of func(string) (string, bool)) func(string) string {
	return func(name string) string {
		if got, ok := of(name); ok == (got != "") {
			return got
		}
		return "an empty name that is known, or a name that is not"
	}
}

// A name says what machine it was where it names exactly one accelerator; with two it says nothing.
func TestHardwareIn(t *testing.T) {
	n := repositoryNames(t)
	goldentest.Table(t, named(n.HardwareIn), map[string]string{
		"8xMi300x-serving-meta":                 "8x MI300X",
		"4Mi300x-serving":                       "4x MI300X",
		"benchmark_results_nvidia-4090":         "RTX 4090",
		"gptoss_fp4_h200_tp4_conc8.json":        "4x H200",
		"2x_a100-80gb":                          "2x A100 80 GB",
		"h100sxm5_vs_mi300x":                    "",
		"h100-and-h200":                         "",
		"8xh100":                                "8x H100",
		"amd-latency_test":                      "",
		"results-2024":                          "",
		"Llama-3.1-405B-Instruct-FP8":           "",
		"":                                      "",
		"vllm_0.6.3_qps16_amd_np1000_h100_h100": "H100",
		"2xh100-then-4xh100":                    "",
		"rtx-3090-ti":                           "",
		"2x_rtx_4090_laptop":                    "",
		"rtx-3090-tiny":                         "RTX 3090",
	})
}

// A model is proposed where a name spells out exactly one that is listed.
func TestModelIn(t *testing.T) {
	n := repositoryNames(t)
	goldentest.Table(t, named(n.ModelIn), map[string]string{
		"Llama-3.1-8B-Instruct_tp2.json":                 "meta-llama/Llama-3.1-8B-Instruct",
		"llama_3.1_8b_instruct":                          "meta-llama/Llama-3.1-8B-Instruct",
		"llama-405b":                                     "",
		"Llama-3.1-8B-Instruct_CodeLlama-7B-Instruct-hf": "",
	})
}
