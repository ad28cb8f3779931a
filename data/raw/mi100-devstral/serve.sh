VLLM_DISABLED_KERNELS=ConchLinearKernel vllm serve \
    /models/Devstral-Small-2-24B-Instruct-INT4-INT8-Mixed-GPTQ \
    --tensor-parallel-size 4 \
    --quantization compressed-tensors \
    --max-model-len 262144 \
    --port 8001 \
    --gpu-memory-utilization 0.65 \
    --dtype float16 \
    --skip-mm-profiling \
    --limit-mm-per-prompt '{"image": 2}' \
    --disable-log-requests \
    --tool-call-parser mistral \
    --enable-auto-tool-choice
