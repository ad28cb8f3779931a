package settings

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/record"
)

func repositoryNames(t testing.TB) *Names {
	t.Helper()
	n, diags := LoadNames(os.DirFS("../../data"))
	for _, d := range diags {
		t.Error(d)
	}
	return n
}

func TestHardware(t *testing.T) {
	n := repositoryNames(t)
	uncounted := map[string]bool{ // several, of which one has no count
		"H100 and A100": true, "RTX 4090, RTX 3090 Ti": true, "4090, 3090": true, "RX 7900 XTX, RX 7800 XT": true,
		"RX 7800 XT, RTX 4090": true, "H100, A40": true, "2x Radeon RX 7900 XTX + RX 7800 XT": true,
		"RTX 4090, Tesla P40 (x2)": true,
	}
	for _, c := range []struct {
		text  string
		count int // given
		slug  string
		name  string
		want  int
		note  string
	}{
		{"H100", 0, "h100", "H100", 1, ""},
		{"NVIDIA H100 80GB HBM3 MIG", 0, "h100-80g-hbm3-mig", "H100 80GB HBM3 MIG", 1, ""},
		{"2x NVIDIA A100-SXM4-40GB MIG 3g.20gb", 0, "2x-a100-sxm4-40g-mig-3g.20gb", "2× A100-SXM4-40GB MIG 3g.20gb", 2,
			""},
		{"A100 40GB (MIG 3g.20gb)", 0, "a100-40g-mig-3g.20gb", "A100 40GB MIG 3g.20gb", 1, ""},
		{"MI300X CPX", 0, "mi300x-cpx", "MI300X CPX", 1, ""},
		{"A100-40C", 0, "a100-40c", "A100-40C", 1, ""},
		{"H100 (1/7)", 0, "h100-1-7", "H100 1/7", 1, ""},
		{"M2 Ultra 76c", 0, "m2-ultra", "M2 Ultra", 1, "76c"},
		{"8x H100 (node 1/2)", 0, "8x-h100", "8× H100", 8, "node 1/2"},
		{"4xNVIDIA_L40S", 0, "4x-l40s", "4× L40S", 4, ""},
		{"RTX 4090 + RTX 3090", 1, "1x-rtx-4090-rtx-3090", "RTX 4090 + RTX 3090, 1 in all", 1, ""},
		{"RTX 4090 + RTX 3090", 4, "4x-rtx-4090-rtx-3090", "RTX 4090 + RTX 3090, 4 in all", 4, ""},
		{"2xH100", 0, "2x-h100", "2× H100", 2, ""},
		{"2×H100", 0, "2x-h100", "2× H100", 2, ""},
		{"8 x H100 SXM", 0, "8x-h100-sxm5", "8× H100 SXM", 8, ""},
		{"8 H100", 0, "8x-h100", "8× H100", 8, ""},
		{"H100x8", 0, "8x-h100", "8× H100", 8, ""},
		{"H100 *8", 0, "8x-h100", "8× H100", 8, ""},
		{"MI300X x8", 0, "8x-mi300x", "8× MI300X", 8, ""},
		{"mi300x", 0, "mi300x", "MI300X", 1, ""},
		{"H100 (x4)", 0, "4x-h100", "4× H100", 4, ""},
		{"NVIDIA H100 80GB HBM3 (4 GPUs)", 0, "4x-h100-sxm5", "4× H100 SXM", 4, ""},
		{"H100 H100", 0, "2x-h100", "2× H100", 2, ""},
		{"NVIDIA H100 80GB HBM3, NVIDIA H100 80GB HBM3", 0, "2x-h100-sxm5", "2× H100 SXM", 2, ""},
		{"mi355x-amds", 0, "mi355x", "MI355X", 1, "amds"},
		{"cluster:mi355x-amds", 8, "8x-mi355x", "8× MI355X", 8, "amds"},
		{"gb200-nvl72", 0, "gb200", "GB200", 1, "nvl72"},
		{"4× AMD Instinct MI100 (gfx908)", 0, "4x-mi100", "4× MI100", 4, ""},
		{"4x AMD MI100 (gfx908), ROCm 7.2.1, build (a, b)", 0, "4x-mi100", "4× MI100", 4, "ROCm 7.2.1, build (a, b)"},
		{"A100-80g", 0, "a100-80gb", "A100 80 GB", 1, ""},
		{"A100 80 GB", 0, "a100-80gb", "A100 80 GB", 1, ""},
		{"A100_80GiB", 0, "a100-80gb", "A100 80 GB", 1, ""},
		{"A100-40g", 0, "a100-40gb", "A100 40 GB", 1, ""},
		{"V100-32g", 0, "v100-32gb", "V100 32 GB", 1, ""},
		{"NVIDIA A100-SXM4-80GB", 0, "a100-sxm4-80gb", "A100 SXM 80 GB", 1, ""},
		{"NVIDIA A100 80GB PCIe", 0, "a100-pcie-80gb", "A100 PCIe 80 GB", 1, ""},
		{"Tesla V100-SXM2-32GB", 0, "v100-sxm2-32gb", "V100 SXM2 32 GB", 1, ""},
		{"A100", 0, "a100", "A100", 1, ""},
		{"A100 PCIe", 0, "a100", "A100", 1, "PCIe"}, // 40 or 80 GB: still the family
		{"H100 80GB", 0, "h100", "H100", 1, "80\u202fGB"},
		{"H100 NVL", 0, "h100-nvl", "H100 NVL", 1, ""},
		{"RTX4090", 0, "rtx-4090", "RTX 4090", 1, ""},
		// several kinds are none of them, unless the count of those that served says which
		{"2x RTX 4090 + 1x RTX 3090", 0, "3x-rtx-4090-rtx-3090", "2× RTX 4090 + RTX 3090", 3, ""},
		{"2x RTX 4090 + 1x RTX 3090", 2, "2x-rtx-4090", "2× RTX 4090", 2, "1× RTX 3090"},
		{"H100 (x32), AMD Instinct MI325X (x16)", 48, "48x-h100-mi325x", "32× H100 + 16× MI325X", 48, ""},
		{"H100 and A100", 0, "h100-a100", "H100 + A100", 2, ""},
		{"AMD Radeon 8060S Graphics", 0, "strix-halo", "Ryzen AI Max+ 395", 1, ""},
		{"AMD Ryzen AI Max+ 395 w/ Radeon 8060S", 0, "strix-halo", "Ryzen AI Max+ 395", 1, ""},
		{"Radeon Graphics (gfx1151)", 0, "strix-halo", "Ryzen AI Max+ 395", 1, ""},
		{"H100", 2, "2x-h100", "2× H100", 2, ""},
		{"4x H100", 2, "2x-h100", "2× H100", 2, "the text says 4"},
		{"0x H100", 0, "h100", "H100", 1, "0x"},
		{"rack 7, H100", 0, "h100", "H100", 1, "rack 7"},
		// a number that counts no accelerators
		{"7900 XTX", 0, "7900-xtx", "7900 XTX", 1, ""},
		{"2x 7900 XTX", 0, "2x-7900-xtx", "2× 7900 XTX", 2, ""},
		{"4x7900XTX", 0, "4x-7900xtx", "4× 7900XTX", 4, ""},
		{"2 × 780M", 0, "2x-780m", "2× 780M", 2, ""},
		{"8x 2024 H100", 0, "8x-h100", "8× H100", 8, "2024"},
		{"7900XTX", 0, "7900xtx", "7900XTX", 1, ""},
		{"9070 XT", 0, "9070-xt", "9070 XT", 1, ""},
		{"6800 XT", 0, "6800-xt", "6800 XT", 1, ""},
		{"2x Radeon RX 6800 XT", 0, "2x-rx-6800-xt", "2× Radeon RX 6800 XT", 2, ""},
		{"2 Xeon 6130", 0, "2-xeon-6130", "2 Xeon 6130", 1, ""},
		{"8xB300", 0, "8x-b300", "8× B300", 8, ""},
		{"8XB300", 0, "8x-b300", "8× B300", 8, ""},
		{"8 xB300", 0, "8x-b300", "8× B300", 8, ""},
		{"4×B300", 0, "4x-b300", "4× B300", 4, ""},
		{"80 GB H100", 0, "h100", "H100", 1, "80\u202fGB"},
		{"24 GB RTX 4090", 0, "rtx-4090", "RTX 4090", 1, "24\u202fGB"},
		{"60 SM H100", 0, "h100", "H100", 1, "60, SM"},
		{"700 W H100", 0, "h100", "H100", 1, "700"},
		{"2024 H100", 0, "h100", "H100", 1, "2024"},
		{"H100 / 80", 0, "h100", "H100", 1, "80"},
		{"RTX 4090, 5090", 0, "rtx-4090", "RTX 4090", 1, "5090"},
		{"H100, 1024 GPUs", 0, "1024x-h100", "1024× H100", 1024, ""},
		{"H100, 8", 0, "8x-h100", "8× H100", 8, ""},
		{"8 NVIDIA GPUs H100", 0, "8x-h100", "8× H100", 8, ""},
		{"4x H100 80", 0, "4x-h100", "4× H100", 4, "80"},
		{"A100 80 x2", 0, "2x-a100", "2× A100", 2, "80"},
		{"RTX 4090x2", 0, "2x-rtx-4090", "2× RTX 4090", 2, ""},
		// an accelerator named by its number alone, where one is listed with it
		{"4090", 0, "rtx-4090", "RTX 4090", 1, ""},
		{"4090*2", 0, "2x-rtx-4090", "2× RTX 4090", 2, ""},
		{"2x4090", 0, "2x-rtx-4090", "2× RTX 4090", 2, ""},
		{"2 x 4090", 0, "2x-rtx-4090", "2× RTX 4090", 2, ""},
		{"4090 (x2)", 0, "2x-rtx-4090", "2× RTX 4090", 2, ""},
		{"GeForce 4090 24GB", 0, "rtx-4090", "RTX 4090", 1, ""},
		{"4090 GPU", 0, "rtx-4090", "RTX 4090", 1, ""},
		{"4090, 3090", 0, "rtx-4090-rtx-3090", "RTX 4090 + RTX 3090", 2, ""},
		{"AMD 4090", 0, "4090", "4090", 1, ""},
		{"node 4090", 0, "node-4090", "node 4090", 1, ""},
		{"4090 Ti", 0, "4090-ti", "4090 Ti", 1, ""},
		{"6000", 0, "not-recorded", "Hardware not recorded", 1, "6000"}, // there are four of them
		{"300X", 0, "300x", "300X", 1, ""},
		{"RTX4090x4", 0, "4x-rtx-4090", "4× RTX 4090", 4, ""},
		{"7900 XTX x2", 0, "2x-7900-xtx", "2× 7900 XTX", 2, ""},
		{"RX 7900 XTX ×2", 0, "2x-rx-7900-xtx", "2× RX 7900 XTX", 2, ""},
		{"MI50Zx8", 0, "mi50zx8", "MI50Zx8", 1, ""},
		{"8-GPU H100", 0, "8x-h100", "8× H100", 8, ""},
		{"H100 8-GPU", 0, "8x-h100", "8× H100", 8, ""},
		{"H100 (8-GPU)", 0, "8x-h100", "8× H100", 8, ""},
		{"8-GPU HGX H100", 0, "8x-h100", "8× H100", 8, "HGX"},
		{"2 nodes of 8-GPU H100", 0, "16x-h100", "16× H100", 16, ""},
		{"M2 Ultra 76 GPU cores", 0, "m2-ultra", "M2 Ultra", 1, "76, cores"},
		{"dual RTX 4090", 0, "2x-rtx-4090", "2× RTX 4090", 2, ""},
		{"single H100", 0, "h100", "H100", 1, ""},
		// machines of several accelerators
		{"2 nodes x 8 H100", 0, "16x-h100", "16× H100", 16, ""},
		{"2 nodes of 8x H100", 0, "16x-h100", "16× H100", 16, ""},
		{"2 x 8 x H100", 0, "16x-h100", "16× H100", 16, ""},
		{"2x8 H100", 0, "16x-h100", "16× H100", 16, ""},
		{"9000 nodes x 800 H100", 0, "h100", "H100", 1, "9000, nodes, x, 800"},
		{"2 nodes with 8 GPUs H100", 0, "16x-h100", "16× H100", 16, ""},
		{"H100 8x2", 0, "h100", "H100", 1, "8x2"},
		{"8x H100 x2", 0, "h100", "H100", 1, "8x, x2"},
		{"8x H100 nodes", 0, "h100", "H100", 1, "8x, nodes"},
		{"8 H100 per node", 0, "h100", "H100", 1, "8, per, node"},
		{"8x H100 node 2", 0, "8x-h100", "8× H100", 8, "node, 2"},
		{"3x 40 GB A100", 0, "3x-a100", "3× A100", 3, "40\u202fGB"},
		{"8x 80GB H100", 0, "8x-h100", "8× H100", 8, "80\u202fGB"},
		{"8 x 80 GB NVIDIA H100", 0, "8x-h100", "8× H100", 8, "80\u202fGB"},
		{"2x8x 80 GB H100", 0, "h100", "H100", 1, "2x8x, 80\u202fGB"},
		// what is made of a listed one, and several of which nobody says which
		{"RTX 3090 Ti", 0, "rtx-3090-ti", "RTX 3090 Ti", 1, ""},
		{"2x RTX 3090 Ti", 0, "2x-rtx-3090-ti", "2× RTX 3090 Ti", 2, ""},
		{"RTX 3090 Ti x2", 0, "2x-rtx-3090-ti", "2× RTX 3090 Ti", 2, ""},
		{"NVIDIA GeForce RTX 3090 Ti", 0, "rtx-3090-ti", "GeForce RTX 3090 Ti", 1, ""},
		{"RTX 4090 D", 0, "rtx-4090-d", "RTX 4090 D", 1, ""},
		{"RTX 5090 D", 0, "rtx-5090-d", "RTX 5090 D", 1, ""},
		{"RTX 4090 Laptop GPU", 0, "rtx-4090-laptop", "RTX 4090 Laptop GPU", 1, ""},
		{"RTX 4090 16GB Laptop", 0, "rtx-4090-16g-laptop", "RTX 4090 16GB Laptop", 1, ""},
		{"RTX PRO 6000 Max-Q", 0, "rtx-pro-6000-max-q", "RTX PRO 6000 Max-Q", 1, ""},
		{"RTX 4090, RTX 3090 Ti", 0, "rtx-4090-rtx-3090-ti", "RTX 4090 + RTX 3090 Ti", 2, ""},
		// a name that was cut
		{"NVIDIA GeForce RTX 4090 ...", 0, "rtx-4090-haq4", "GeForce RTX 4090 ...", 1, ""},
		{"NVIDIA A100-SXM...", 0, "a100", "A100", 1, "SXM"},
		{"H100/H200", 0, "h100-h200", "H100/H200", 1, ""},
		{"A100 or H100", 0, "a100-or-h100", "A100 or H100", 1, ""},
		{"8x H100 or RTX 4090", 0, "8x-h100-or-rtx-4090", "8× H100 or RTX 4090", 8, ""},
		{"not H100", 0, "not-h100", "not H100", 1, ""},
		{"H100 SXM/PCIe", 0, "h100-sxm5", "H100 SXM", 1, "PCIe"},
		// several that are not listed, and what beside one is none
		{"RX 7900 XTX, RX 7800 XT", 0, "rx-7900-xtx-rx-7800-xt", "RX 7900 XTX + RX 7800 XT", 2, ""},
		{"2x Radeon RX 7900 XTX + RX 7800 XT", 0, "3x-rx-7900-xtx-rx-7800-xt", "2× Radeon RX 7900 XTX + RX 7800 XT, 3 in all",
			3, ""},
		{"RX 7800 XT, RTX 4090", 0, "rx-7800-xt-rtx-4090", "RX 7800 XT + RTX 4090", 2, ""},
		{"RTX 4090, Tesla P40 (x2)", 0, "3x-rtx-4090-p40", "RTX 4090 + 2× Tesla P40, 3 in all", 3, ""},
		{"H100, A40", 0, "h100-a40", "H100 + A40", 2, ""},
		{"RTX 3060, RTX 3060", 0, "2x-rtx-3060", "2× RTX 3060", 2, ""},
		{"Toy 1000, Toy 1000", 0, "2x-toy-1000", "2× Toy 1000", 2, ""},
		{"RX 7900 XTX, ROCm 6.2", 0, "rx-7900-xtx", "RX 7900 XTX", 1, "ROCm 6.2"},
		{"H100, AMD EPYC 9654", 0, "h100", "H100", 1, "AMD EPYC 9654"},
		{"RX 6600, AMD Ryzen 7 5800H with Radeon Graphics", 0, "rx-6600", "RX 6600", 1,
			"AMD Ryzen 7 5800H with Radeon Graphics"},
		{"RTX 4090, b4567, driver 550.54, v0.8.2, g5.xlarge, G593-SD0, NVLink", 0, "rtx-4090", "RTX 4090", 1,
			"b4567, driver 550.54, v0.8.2, g5.xlarge, G593-SD0, NVLink"},
		// not listed
		{"NVIDIA RTX 6000 Ada Generation", 0, "rtx-6000-ada-generation", "RTX 6000 Ada Generation", 1, ""},
		{"2x Toy_1000 (rev B)", 0, "2x-toy-1000", "2× Toy 1000", 2, "rev B"},
		{"950dt", 0, "950dt", "950dt", 1, ""},
		{"<b>GPU</b>", 0, "b-b", "<b>GPU</b>", 1, ""},
		// nothing
		{"", 0, "not-recorded", "Hardware not recorded", 1, ""},
		{"None", 2, "not-recorded", "Hardware not recorded", 2, ""},
		{"2 GPUs", 0, "not-recorded", "Hardware not recorded", 2, ""},
	} {
		h := n.Hardware(c.text, c.count)
		if h.Slug != c.slug || h.Name != c.name || h.Count != c.want || h.Note != c.note {
			t.Errorf("%q, %d: %s %q %d note %q, want %s %q %d note %q", c.text, c.count, h.Slug, h.Name, h.Count,
				h.Note, c.slug, c.name, c.want, c.note)
		}
		if assumed := c.count == 0 && (c.want == 1 || uncounted[c.text]) && !strings.HasPrefix(c.text, "1") &&
			!strings.HasPrefix(c.text, "single"); h.CountAssumed != assumed {
			t.Errorf("%q, %d: count assumed %v", c.text, c.count, h.CountAssumed)
		}
		checkHardware(t, n, c.text)
	}
	if _, err := ParseSet("hardware=4090"); err != nil {
		t.Error(err)
	}
	if _, err := ParseSet("hardware=8"); err == nil {
		t.Error("8 is taken for the name of an accelerator")
	}
	if h := n.Hardware("1x H100", 0); h.CountAssumed || h.Slug != "h100" {
		t.Errorf("1x H100: %+v", h)
	}
	h100 := n.Hardware("H100", 0).Accelerator
	if !h100.Known || !h100.FormFactorUnknown || h100.MemoryGB != nil || !slices.Contains(h100.Variants, "h100-sxm5") {
		t.Errorf("the family H100: %+v", h100)
	}
	mi100 := n.Hardware("MI100", 0).Accelerator
	if mi100.Vendor != "AMD" || mi100.Name != "Instinct MI100" || number(mi100.MemoryGB) != "32" ||
		number(mi100.BF16) != "92.3" || mi100.FP8 != nil || mi100.FormFactorUnknown {
		t.Errorf("MI100: %+v", mi100)
	}
	h100.Variants[0] = "changed"
	if n.Hardware("H100", 0).Accelerator.Variants[0] == "changed" {
		t.Error("Hardware gives away its own list")
	}
}

func checkHardware(t *testing.T, n *Names, text string) {
	t.Helper()
	h := n.Hardware(text, 0)
	if h.Count < 1 || h.Name == "" || !validSlug(h.Slug) || h.Accelerator.Name == "" || !validSlug(h.Accelerator.Slug) {
		t.Errorf("Hardware(%q) = %+v", text, h)
	}
	if len(h.Slug) > 140 {
		t.Errorf("Hardware(%q): slug of %d bytes", text, len(h.Slug))
	}
}

// validSlug reports whether a text is a slug of site.md.
func validSlug(s string) bool { return s != "" && record.Slug(s) == s }

// TestKnownModels has the names that published results use for listed models.
func TestKnownModels(t *testing.T) {
	n := repositoryNames(t)
	for written, want := range map[string]string{
		"CodeLlama-7b-Instruct-hf":                                      "CodeLlama 7B Instruct",
		"codellama/CodeLlama-7b-Instruct-hf":                            "CodeLlama 7B Instruct",
		"meta-llama--CodeLlama-7b-Instruct-hf":                          "CodeLlama 7B Instruct",
		"meta-llama/CodeLlama-13b-Instruct-hf":                          "CodeLlama 13B Instruct",
		"CodeLlama-34B-AWQ":                                             "CodeLlama 34B AWQ",
		" TheBloke--CodeLlama-34B-AWQ":                                  "CodeLlama 34B AWQ",
		"Phi-3-vision-128k-instruct":                                    "Phi-3 Vision 128K Instruct",
		"microsoft--phi-3-vision-128k-instruct":                         "Phi-3 Vision 128K Instruct",
		"Phi-3-mini-128k-instruct":                                      "Phi-3 Mini 128K Instruct",
		"Mistral-Small-3.1-24B-Instruct-2503":                           "Mistral Small 3.1 24B Instruct 2503",
		"mistralai--mistral-small-3-1-24b-instruct-2503":                "Mistral Small 3.1 24B Instruct 2503",
		"mistralai/Mistral-Small-24B-Instruct-2501":                     "Mistral Small 24B Instruct 2501",
		"Codestral-22B-v0.1":                                            "Codestral 22B v0.1",
		"mistralai--codestral-22b-v01":                                  "Codestral 22B v0.1",
		"Llama-3.3-70B-Instruct":                                        "Llama 3.3 70B Instruct",
		"meta-llama--Meta-Llama-3.3-70B-Instruct":                       "Llama 3.3 70B Instruct",
		"casperhansen/llama-3.3-70b-instruct-awq":                       "Llama 3.3 70B Instruct AWQ",
		"Meta-Llama-3-8B-Instruct":                                      "Llama 3 8B Instruct",
		"meta-llama/Llama-3.1-8B-Instruct":                              "Llama 3.1 8B Instruct",
		"Meta-Llama-3.1-8B-Instruct":                                    "Llama 3.1 8B Instruct",
		"pixtral-12b":                                                   "Pixtral 12B 2409",
		"openai/gpt-oss-120b":                                           "gpt-oss 120B",
		"deepseek-ai/DeepSeek-V3-0324":                                  "DeepSeek V3 0324",
		"devstral-24b":                                                  "Devstral Small 2 24B INT4/INT8 GPTQ",
		"/models/Devstral-Small-2-24B-Instruct-INT4-INT8-Mixed-GPTQ":    "Devstral Small 2 24B INT4/INT8 GPTQ",
		"btbtyler09/Devstral-Small-2-24B-Instruct-INT4-INT8-Mixed-GPTQ": "Devstral Small 2 24B INT4/INT8 GPTQ",
		"/root/.cache/huggingface/hub/models--meta-llama--Llama-3.3-70B-Instruct/snapshots/6f6073b423013f6a7d4d9f39144961bfbfbc386b": "Llama 3.3 70B Instruct",
	} {
		m := n.Model(written)
		if !m.Known || m.Name != want || len(m.Parsed) != 0 {
			t.Errorf("%q: %q known %v parsed %v, want %q", written, m.Name, m.Known, m.Parsed, want)
		}
		checkModel(t, n, written)
	}
	for _, m := range n.models.all {
		if m.Name == "" || m.ParamsB == nil || m.Precision == "" {
			t.Errorf("%s lacks its name, size or precision", m.ID)
		}
		if n.Model(m.ID).ID != m.ID {
			t.Errorf("%s does not lead to itself", m.ID)
		}
	}
	llama := n.Model("Llama-3.3-70B-Instruct")
	if b, ok := llama.WeightBytes(); !ok || b != 141.1e9 || llama.Slug != "llama-3.3-70b-instruct" ||
		*llama.Layers != 80 {
		t.Errorf("%+v: weights %v %v", llama, b, ok)
	}
	if b, ok := n.Model("CodeLlama-34B-AWQ").WeightBytes(); !ok || b != 33.74e9/2 {
		t.Errorf("AWQ weights: %v %v", b, ok)
	}
	if _, ok := n.Model("devstral-24b").WeightBytes(); ok {
		t.Error("the bytes of a mixture are not known")
	}
}

func TestParsedModels(t *testing.T) {
	n := repositoryNames(t)
	for _, c := range []struct {
		written, slug                 string
		params, active                string
		size, precision, quantization string
	}{
		{"Toy-7B", "toy-7b", "7", "-", "7B", "", ""},
		{"org/Toy-1.5b-instruct", "toy-1.5b-instruct", "1.5", "-", "1.5B", "", ""},
		{"org/toy-125m", "toy-125m", "0.125", "-", "125M", "", ""},
		{"Toyxtral-8x7B-Instruct-v0.1", "toyxtral-8x7b-instruct-v0.1", "-", "-", "8x7B", "", ""},
		{"org/Toy3-30B-A3B", "toy3-30b-a3b", "30", "3", "30B-A3B", "", ""},
		{"org/GLT-5-FP8", "glt-5-fp8", "-", "-", "", "fp8", "FP8"},
		{"org/Toy-8B-BF16", "toy-8b-bf16", "8", "-", "8B", "bf16", ""},
		{"org/toy-13B-AWQ", "toy-13b-awq", "13", "-", "13B", "int4", "AWQ"},
		{"org/Toy-70B-GPTQ", "toy-70b-gptq", "70", "-", "70B", "", "GPTQ"},
		{"org/Toy-70B-GPTQ-Int4", "toy-70b-gptq-int4", "70", "-", "70B", "int4", "GPTQ"},
		{"org/Toy-70B-GPTQ-8bit", "toy-70b-gptq-8bit", "70", "-", "70B", "int8", "GPTQ"},
		{"toy-7b-w4a16", "toy-7b-w4a16", "7", "-", "7B", "w4a16", "W4A16"},
		{"org/Toy-24B-INT4-INT8-Mixed-GPTQ", "toy-24b-int4-int8-mixed-gptq", "24", "-", "24B",
			"mixed int4 int8", "GPTQ"},
		{"toy-7b-bnb-4bit", "toy-7b-bnb-4bit", "7", "-", "7B", "int4", "bitsandbytes"},
		{"Toy-MXFP4", "toy-mxfp4", "-", "-", "", "mxfp4", "MXFP4"},
		{"Mistery-2501", "mistery-2501", "-", "-", "", "", ""}, // a date is no size
		{"Toy-v0.3b", "toy-v0.3b", "-", "-", "", "", ""},
	} {
		m := n.Model(c.written)
		if m.Known || m.Slug != c.slug || number(m.ParamsB) != c.params || number(m.ActiveParamsB) != c.active ||
			m.Size != c.size || m.Precision != c.precision || m.Quantization != c.quantization {
			t.Errorf("%q: %+v (params %s, active %s)", c.written, m, number(m.ParamsB), number(m.ActiveParamsB))
		}
		for key, set := range map[string]bool{"params_b": m.ParamsB != nil, "active_params_b": m.ActiveParamsB != nil,
			"size": m.Size != "", "precision": m.Precision != "", "quantization": m.Quantization != ""} {
			if slices.Contains(m.Parsed, key) != set {
				t.Errorf("%q: %s set %v, parsed %v", c.written, key, set, m.Parsed)
			}
		}
		checkModel(t, n, c.written)
	}
	gguf := n.Model("/data/Toy-4B-Q4_K_M.gguf")
	if gguf.Name != "Toy-4B-Q4_K_M" || gguf.Quantization != "GGUF Q4_K_M" {
		t.Errorf("%+v", gguf)
	}
	// What the rule changes in more than case gets characters of a digest, others do not.
	for written, digest := range map[string]bool{"toy:7b": true, "Toy 7B": true, "日本語": true, "Toy-7B": false,
		"org/Toy-7B": false, "other/Llama-3.3-70B-Instruct": true} {
		m := n.Model(written)
		if has := m.Slug != record.Slug(m.Name); has != digest {
			t.Errorf("%q: slug %s", written, m.Slug)
		}
		checkModel(t, n, written)
	}
	if a, b := n.Model("toy:7b").Slug, n.Model("toy 7b").Slug; a == b {
		t.Errorf("two names share the slug %s", a)
	}
	for _, nothing := range []string{"", " ", "/", "."} {
		if m := n.Model(nothing); m.Slug != NotRecorded || m.Known {
			t.Errorf("%q: %+v", nothing, m)
		}
	}
	if m := n.Model("<script>alert(1)</script>"); m.Name != "<script>alert(1)</script>" ||
		!strings.HasPrefix(m.Slug, "script-alert-1-script-") {
		t.Errorf("%+v", m)
	}
}

func checkModel(t *testing.T, n *Names, written string) {
	t.Helper()
	m := n.Model(written)
	if m.Name == "" || !validSlug(m.Slug) || len(m.Slug) > 120 {
		t.Errorf("Model(%q) = %+v", written, m)
	}
	if m.Known && n.Model(m.ID).Slug != m.Slug {
		t.Errorf("Model(%q): its id leads elsewhere", written)
	}
}

func TestEngines(t *testing.T) {
	n := repositoryNames(t)
	for _, c := range []struct{ name, version, want, wantVersion string }{
		{"vllm", "0.8.2", "vLLM", "0.8.2"}, {"vLLM", "v0.8.2", "vLLM", "0.8.2"}, {"VLLM", "", "vLLM", ""},
		{"sgl", "0.4", "SGLang", "0.4"},
		{"llama-cpp", "b4567", "llama.cpp", "b4567"}, {"trtllm", "1", "TensorRT-LLM", "1"},
		{"TensorRT-LLM", "1", "TensorRT-LLM", "1"}, {"llama_cpp", "", "llama.cpp", ""},
		// A library is not what is built upon it: its version would stand under another name.
		{"pytorch", "2.4.0", "PyTorch", "2.4.0"}, {"transformers", "4.49.0", "Transformers", "4.49.0"},
		{"deepspeed", "0.14.0", "DeepSpeed", "0.14.0"}, {"mlx", "0.20.0", "MLX", "0.20.0"},
		{"mlx-lm", "0.19.0", "MLX LM", "0.19.0"},
	} {
		if e := n.Engine(c.name, c.version); !e.Known || e.Name != c.want || e.Version != c.wantVersion ||
			!validSlug(e.Slug) {
			t.Errorf("%q %q: %+v", c.name, c.version, e)
		}
	}
	if e := n.Engine("Toy Engine", "1"); e.Known || e.Name != "Toy Engine" ||
		!strings.HasPrefix(e.Slug, "toy-engine-") {
		t.Errorf("%+v", e)
	}
	if e := n.Engine("", "1"); e.Name != "" || e.Slug != "" {
		t.Errorf("%+v", e)
	}
}

func TestDefaults(t *testing.T) {
	n := repositoryNames(t)
	for _, c := range []struct {
		version, param, want string
		state                DefaultState
	}{
		{"0.4.3", "max_num_seqs", "256", DefaultKnown},
		{"0.6.4.post1", "block_size", "16", DefaultKnown},
		{"0.7.1", "max_num_seqs", "null", DefaultKnown},
		{"0.8.2", "block_size", "null", DefaultKnown},
		{"0.6.3.post1", "enable_prefix_caching", "false", DefaultKnown},
		{"0.7.1", "enable_prefix_caching", "null", DefaultKnown},
		{"0.7.1", "seed", "0", DefaultKnown},
		{"0.8.2", "seed", "null", DefaultKnown},
		{"v0.8.2+cu124", "gpu_memory_utilization", "0.9", DefaultKnown},
		{"0.4.3", "swap_space", "4", DefaultKnown},
		{"0.8.2", "swap_space", "4.0", DefaultKnown},
		{"0.8.2", "allowed_origins", `["*"]`, DefaultKnown},
		{"0.8.2", "tool_parser_plugin", `""`, DefaultKnown},
		{"0.4.3", "speculative_config", "", ParamUnknownToVersion},
		{"0.8.2", "image_input_type", "", ParamUnknownToVersion},
		{"0.8.2", "no_such_argument", "", ParamUnknownToVersion},
		// between versions: where both agree
		{"0.5.0", "max_num_seqs", "256", DefaultKnown},
		{"0.7.0", "max_num_seqs", "", DefaultUnknown},
		{"0.5.0", "max_logprobs", "", DefaultUnknown},
		{"0.6.2", "speculative_config", "", ParamUnknownToVersion},
		{"0.8.0", "speculative_config", "", DefaultUnknown},
		{"0.8.2rc1", "max_num_seqs", "null", DefaultKnown},
		// outside nothing is claimed
		{"0.4.2", "max_num_seqs", "", DefaultUnknown},
		{"0.9.0", "max_num_seqs", "", DefaultUnknown},
		{"", "max_num_seqs", "", DefaultUnknown},
		// not the engine's own
		{"0.8.2", "port", "", DefaultUnknown},
		{"0.8.2", "suite_id", "", DefaultUnknown},
	} {
		v, state := n.Default("vllm", c.version, c.param)
		if string(v) != c.want || state != c.state {
			t.Errorf("%s of %s: %s, state %d, want %s, state %d", c.param, c.version, v, state, c.want, c.state)
		}
		if state == DefaultKnown && !json.Valid(v) {
			t.Errorf("%s of %s: %s is no JSON", c.param, c.version, v)
		}
	}
	if _, s := n.Default("SGLang", "0.4.3", "max_num_seqs"); s != DefaultUnknown {
		t.Errorf("a default of an engine without parameters: %d", s)
	}
	if n.Owner("port") != "happy_vllm" || n.Owner("suite_id") != "benchmark" || n.Owner("seed") != "" {
		t.Errorf("owners: %q %q %q", n.Owner("port"), n.Owner("suite_id"), n.Owner("seed"))
	}
}

func TestCompareVersions(t *testing.T) {
	ordered := []string{"", "0.4.3", "0.6.0.dev1", "0.6.0rc2", "0.6.0", "0.6.1", "0.6.1.post1", "0.6.1.post2", "0.6.2",
		"0.9", "0.10.0", "1.0"}
	for i, a := range ordered {
		for j, b := range ordered {
			got := CompareVersions(a, b)
			if (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("CompareVersions(%q, %q) = %d", a, b, got)
			}
		}
	}
	if CompareVersions("0.9", "0.9.0") != 0 || CompareVersions("v0.8.2", "0.8.2+cu124") != 0 {
		t.Error("equal versions differ")
	}
}

// TestLongNames has names as long as nobody writes them: they are bounded, not the program.
func TestLongNames(t *testing.T) {
	n := repositoryNames(t)
	for _, s := range []string{strings.Repeat("a", 1<<20), strings.Repeat("h100 ", 1<<18), strings.Repeat("(", 1<<20),
		strings.Repeat("2x", 1<<19), strings.Repeat("ü-7B/", 1<<18), strings.Repeat("h100, ", 1<<16)} {
		checkHardware(t, n, s)
		checkModel(t, n, s)
		if e := n.Engine(s, s); len(e.Slug) > 120 {
			t.Errorf("engine slug of %d bytes", len(e.Slug))
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"4× AMD Instinct MI100 (gfx908)", "H100 H100, 2x A100", "org/Toy-8x7B-w4a16.gguf", "((",
		"a--b", "/x/y", "2x", "\xff", "Ryzen AI Max+ 395",
		"0(000000000000000000000000000000000000000  A0000000000000000  000000  000000000000 0"} { // cut at a gap
		f.Add(s)
	}
	n := repositoryNames(f)
	f.Fuzz(func(t *testing.T, s string) {
		checkHardware(t, n, s)
		checkModel(t, n, s)
		n.Engine(s, s)
		CompareVersions(s, "0.8.2")
	})
}
