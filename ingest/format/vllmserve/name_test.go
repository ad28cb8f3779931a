package vllmserve

import (
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

func TestVariant(t *testing.T) {
	goldentest.Table(t, variant, map[string]string{
		"vllm-16.0qps-concurrency8-Tiny-1.5B-20250101-120000.json": "vllm-Tiny-1.5B",
		"vllm-infqps-Tiny-1.5B-20250101-120500.json":               "vllm-Tiny-1.5B",
		"1p3d_conc128_in2048_out128_20250923_033738.json":          "1p3d",
		"serving_tiny_tp4_sharegpt_qps_16.json":                    "serving-tiny-tp4-sharegpt",
		"serving_tiny_tp4_sharegpt_qps_inf_concurrency_200.json":   "serving-tiny-tp4-sharegpt",
		"c1.json":                  "",
		"run=3.json":               "",
		"tiny_1k8k_fp8_conc4.json": "tiny-fp8",
		"results.json":             "results",
	})
}
