package refute

import (
	"os"
	"slices"
	"testing"

	"github.com/inferdex/inferdex/ingest/settings"
)

// TestCounts: a text has the number of accelerators that the pages give it, and none where they know none.
func TestCounts(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	for _, text := range []string{"", "H100", "8x H100", "8 x H100 SXM", "2×H100", "4xNVIDIA_L40S", "8*A100-SXM4-80GB",
		"H100x8", "H100 *8", "MI300X x8", "H100 80GB x8", "H100 (x4)", "L40Sx8", "NVIDIA H100 80GB HBM3 (4 GPUs)", "8 H100",
		"80 GB H100", "8x 80 GB H100", "2 nodes x 8 H100", "2x8 H100", "2 nodes of 8x H100", "H100 H100",
		"NVIDIA H100 80GB HBM3, NVIDIA H100 80GB HBM3", "7900 XTX", "RX 7900 XTX", "RX 580", "AMD Instinct MI300X (gfx942)", "MI50 (gfx906), 32 GB", "RTX 4090", "RTX 3090 Ti",
		"M3 Max 40 GPU cores", "M2 Ultra 76c", "TPU v5e-8", "Gaudi 3", "4× AMD Instinct MI100 (gfx908)", "NVIDIA H100 80GB HBM3",
		"4x AMD MI100 (gfx908), ROCm 7.2.1, build (a, b)", "RTX 4090 + RTX 3090", "2x Foo Bar GPU", "Foo Bar GPU 9000",
		"Xeon 8480+", "Graviton4 (96 vCPU)", "2x RTX 4090 + 1x RTX 3090", "H100/H200", "A100-SXM4-40GB", "GB200 NVL72", "4090", "NVIDIA 4090", "4090 24 GB",
		"4090*2", "2x4090", "2 x 4090", "4090 (x2)", "4090x2", "8x GPU 4090", "RTX4090x4", "4090, 3090", "7900 XTX x2", "RX 7900 XTX ×2", "8-GPU H100",
		"H100 8-GPU", "H100 (8-GPU)", "8-GPU HGX H100", "2 nodes of 8-GPU H100", "4x 8-GPU H100", "dual RTX 4090",
		"single H100", "MI300X 192GB (x32), MI325X 256GB (x16)", "Quad L40S", "two H100", "M2 Ultra 76 GPU cores", "300X", "4090 GPUs"} {
		h := names.Hardware(text, 0)
		got := countsIn(text)
		if h.CountAssumed && len(got) > 0 || !h.CountAssumed && !slices.Contains(got, h.Count) {
			t.Errorf("%q: %v, but the pages say %d (assumed: %t)", text, got, h.Count, h.CountAssumed)
		}
	}
}
