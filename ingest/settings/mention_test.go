package settings

import (
	"strings"
	"testing"
)

// TestMentions: names of folders and files as people write them, and the accelerators they name.
func TestMentions(t *testing.T) {
	n := repositoryNames(t)
	for name, want := range map[string]string{
		"8xMi300x-serving-meta":            "8x MI300X",
		"4Mi300x-throughput-quark":         "4x MI300X",
		"8xH100SXM5-throughput":            "8x H100 SXM",
		"8xh100":                           "8x H100",
		"h100-mig-1g.10gb":                 "",
		"a100_3g.20gb_run":                 "",
		"mi300x-cpx":                       "",
		"h100_16c_half":                    "H100",
		"8x-h100":                          "8x H100",
		"2x_nvidia_l40s":                   "2x L40S",
		"benchmark_results_nvidia-4090":    "RTX 4090",
		"benchmark_results_amd-r9700-uv":   "R9700",
		"gptoss_fp4_h200_tp4_conc64.json":  "4x H200",
		"A100-80g":                         "A100 80 GB",
		"h100sxm5_vs_mi300x":               "H100 SXM, MI300X",
		"b200x4":                           "4x B200",
		"mi300x8":                          "8x MI300X",
		"rtx-4090-x2":                      "2x RTX 4090",
		"2x4090":                           "2x RTX 4090",
		"8GPU-H100":                        "8x H100",
		"h100-8gpus":                       "8x H100",
		"2x8xH100":                         "16x H100",
		"2nodes-8xh100":                    "H100",
		"h100_tp2_pp4":                     "8x H100",
		"h100_tp4_dp2":                     "H100",
		"results_h100.json":                "H100",
		"bench.h200.tp8.log":               "8x H200",
		"a100-2024":                        "A100",
		"vs-h100":                          "",
		"not-h100":                         "",
		"without_h200":                     "",
		"Qwen3-30B-A3B":                    "",
		"Mixtral-8x22B-Instruct-v0.1":      "",
		"results_4090_requests":            "",
		"t4_warmup":                        "",
		"run-2024-11-20":                   "",
		"Llama-3.1-405B-FP8-20241109":      "",
		"ip2048_op2048_np128":              "",
		"nvidia-vllm-1000.0qps-Llama-405B": "",
	} {
		var got []string
		for _, m := range n.Mentions(name) {
			got = append(got, m.Text())
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%q names %q, want %q", name, text, want)
		}
	}
}
