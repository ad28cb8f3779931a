package llamacpp_test

import (
	"fmt"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/llamacpp"
)

func ExampleDevices_Read() {
	const log = `ggml_cuda_init: found 1 CUDA devices:
  Device 0: Acme A100, compute capability 8.0, VMM: yes
llama_model_loader: loaded meta data of a model
device_info:
  - CUDA0   : Acme A100 (40000 MiB, 39000 MiB free)
  - CPU     : Acme CPU (64000 MiB, 60000 MiB free)`
	var d llamacpp.Devices
	for line := range strings.Lines(log) {
		d.Read(strings.TrimSuffix(line, "\n"))
	}
	fmt.Println(d.Names)
	// Output: [Acme A100]
}

func ExampleModel() {
	fmt.Println(llamacpp.Model(`C:\models\acme-7b-Q4_K_M-00001-of-00002.gguf`))
	// Output: acme-7b-Q4_K_M
}
