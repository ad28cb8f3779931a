package redact

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/record"
)

// Keys whose texts are secrets.
const secretKeys = `
api_key admin_api_key api-key apiKey API_KEY APIKey openai_api_key OPENAI_API_KEY VLLM_API_KEY WANDB_API_KEY x.api.key
auth basic_auth http-auth authorization Authorization token hf_token HF_TOKEN huggingface_token HUGGING_FACE_HUB_TOKEN
hf.token githubToken auth_token access_token secret client_secret clientSecret AWS_SECRET_ACCESS_KEY aws_access_key
password ssl_keyfile_password db-password dbPassword passwd passphrase ssl_key_passphrase credential credentials
registry_credentials private_key privateKey ssl_private_key secret_key cookie`

// Keys that only contain such words. The first block are the launch arguments that happy_vllm
// records for vLLM 0.4.3 to 0.8.2, the second those of SGLang's server, the third metrics and words of tokenizers.
const plainKeys = `
additional_config allowed_headers allowed_local_media_path allowed_methods allowed_origins api_endpoint_prefix
app_name backend block_size calculate_kv_scales chat_template chat_template_content_format chat_template_text_format code_revision
collect_detailed_traces compilation_config config_format cpu_offload_gb device disable_async_output_proc disable_cascade_attn
disable_custom_all_reduce disable_fastapi_docs disable_frontend_multiprocessing disable_log_requests disable_log_stats
disable_logprobs_during_spec_decoding disable_mm_preprocessor_cache disable_sliding_window disable_uvicorn_access_log
distributed_executor_backend download_dir dtype enable_auto_tool_choice enable_chunked_prefill enable_expert_parallel enable_lora
enable_lora_bias enable_prefix_caching enable_prompt_adapter enable_prompt_tokens_details enable_reasoning enable_request_id_headers
enable_server_load_tracking enable_sleep_mode enable_ssl_refresh enforce_eager engine_use_ray explicit_errors extra_information
fully_sharded_loras generation_config gpu_memory_utilization gpu_name guided_decoding_backend happy_vllm_version hf_config_path
hf_overrides ignore_patterns image_feature_size image_input_shape image_input_type image_token_id kv_cache_dtype kv_transfer_config
limit_mm_per_prompt load_format logits_processor_pattern long_lora_scaling_factors long_prefill_token_threshold lora_dtype
lora_extra_vocab_size lora_modules max_context_len_to_capture max_cpu_loras max_log_len max_logprobs max_long_partial_prefills
max_lora_rank max_loras max_model_len max_num_batched_tokens max_num_partial_prefills max_num_seqs max_parallel_loading_workers
max_prompt_adapter_token max_prompt_adapters max_queries max_seq_len_to_capture mm_processor_kwargs model model_impl
model_loader_extra_config model_name multi_step_stream_outputs ngram_prompt_lookup_max ngram_prompt_lookup_min num_gpu_blocks_override
num_lookahead_slots num_scheduler_steps num_speculative_tokens otlp_traces_endpoint override_generation_config override_neuron_config
override_pooler_config pipeline_parallel_size port preemption_mode prompt_adapters qlora_adapter_name_or_path quantization
quantization_param_path ray_workers_use_nsight reasoning_parser request_rate response_role return_tokens_as_token_ids revision root_path
rope_scaling rope_theta scheduler_cls scheduler_delay_factor scheduling_policy seed served_model_name show_hidden_metrics_for_version
skip_tokenizer_init spec_decoding_acceptance_method speculative_config speculative_disable_by_batch_size
speculative_disable_mqa_scorer speculative_draft_tensor_parallel_size speculative_max_model_len speculative_model
speculative_model_quantization ssl_ca_certs ssl_cert_reqs ssl_certfile ssl_keyfile step_live_metrics suite_id swap_space task
tensor_parallel_size tokenizer tokenizer_mode tokenizer_pool_extra_config tokenizer_pool_size tokenizer_pool_type tokenizer_revision
tool_call_parser tool_parser_plugin trust_remote_code typical_acceptance_sampler_posterior_alpha
typical_acceptance_sampler_posterior_threshold use_tqdm_on_load use_v2_block_manager uvicorn_log_level vllm_version
with_launch_arguments worker_cls worker_extension_cls worker_use_ray

model_path tokenizer_path tokenizer_worker_num chunked_prefill_size max_prefill_tokens max_total_tokens max_running_requests
mem_fraction_static num_reserved_decode_tokens schedule_policy schedule_conservativeness stream_interval random_seed
constrained_json_whitespace_pattern watchdog_timeout log_level log_requests decode_log_interval enable_tokenizer_batch_encode
served_model_names is_embedding preferred_sampling_params attention_backend sampling_backend grammar_backend speculative_algorithm
speculative_draft_model_path speculative_num_steps speculative_eagle_topk speculative_num_draft_tokens
speculative_accept_threshold_single speculative_token_map enable_dp_attention enable_mixed_chunk tool_server sleep_on_idle
disaggregation_bootstrap_port dp_size tp_size nnodes node_rank allow_auto_truncate

num_tokens max_tokens total_input_tokens stop_token_ids eos_token_id bos_token eos_token pad_token image_token
time_to_first_token mean_time_to_first_token time_per_output_token tokens_per_second tokenizers token_counting
authors author secretary passwordless keyfile apikeys_count
tokens pass@1 pass@10 passes passed bypass basic completion_tokens response_time oauth_flow endpoint kube_version access_codes pw csrf_exempt`

func TestSecretKeys(t *testing.T) {
	const value = "correct-horse"
	r := &Redactor{}
	for _, key := range strings.Fields(secretKeys) {
		if got := r.Value(key, value); got != Hidden {
			t.Errorf("%s: %q stays", key, got)
		}
	}
	for _, key := range strings.Fields(plainKeys) {
		if got := r.Value(key, value); got != value {
			t.Errorf("%s: %q became %q", key, value, got)
		}
		if got := string(r.Parameter(key, json.RawMessage(`"`+value+`"`))); got != `"`+value+`"` {
			t.Errorf("%s: the parameter %q became %s", key, value, got)
		}
	}
	// What says no more than a number, a boolean or null does is no secret: pages print Python.
	for _, v := range []string{"", "None", "True", "false", "null"} {
		if got := r.Value("api_key", v); got != v {
			t.Errorf("api_key %q became %q", v, got)
		}
	}
}

func TestRedactText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		// Secrets.
		{"hugging face", "login with hf_AbCdEfGhIjKl now", "login with redacted now"},
		{"hf words", "hf_overrides and hf_transfer and HF_HUB_ENABLE_HF_TRANSFER=1",
			"hf_overrides and hf_transfer and HF_HUB_ENABLE_HF_TRANSFER=1"},
		{"openai", "key sk-proj-abcdef123456", "key redacted"},
		{"github", "ghp_0123456789abcdefABCD", "redacted"},
		{"aws", "AKIAIOSFODNN7EXAMPLE", "redacted"},
		{"bearer", "Authorization: Bearer abc.def-123", "Authorization: redacted"},
		{"header", `curl -H "Authorization: Basic dXNlcjpwYXNz" http://localhost/v1`,
			`curl -H "Authorization: redacted" http://localhost/v1`},
		{"bearer alone", "sent bearer 0123456789abcdef", "sent bearer redacted"},
		{"basic alone", "sent Basic dXNlcjpwYXNz to it", "sent Basic redacted to it"},
		{"words behind such words", "Basic Qwen2Benchmark, basic throughput, an api-key authentication, a password protected " +
			"model identified by its name, and set TOKENS 5, pass@1 of 0.75, --pass 2, pass=3, forward pass: prefill",
			"Basic Qwen2Benchmark, basic throughput, an api-key authentication, a password protected " +
				"model identified by its name, and set TOKENS 5, pass@1 of 0.75, --pass 2, pass=3, forward pass: prefill"},
		{"jwt", "t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig-nature_1 end", "t=redacted end"},
		{"pem", "a -----BEGIN RSA PRIVATE KEY-----\nMIIB\nxx\n-----END RSA PRIVATE KEY----- b", "a redacted b"},
		{"pem cut", "-----BEGIN PRIVATE KEY-----\nMIIB", "redacted"},
		{"url user", "git clone https://me:pa55@github.com/a/b", "git clone https://redacted@github.com/a/b"},
		{"url token", "https://oauth2@host.example.org/x", "https://redacted@redacted/x"},
		{"query", "https://example.org/v1?token=abc&n=5", "https://redacted/v1?token=redacted&n=5"},
		{"flag", "vllm serve m --api-key s3cret --port 8000", "vllm serve m --api-key redacted --port 8000"},
		{"flag with =", "vllm serve m --api-key=s3cret --port=8000", "vllm serve m --api-key=redacted --port=8000"},
		{"flag quoted", `x --hf-token "a b c" -y`, `x --hf-token "redacted" -y`},
		{"flag continued", "x --api-key \\\n  s3cret \\\n  --port 1", "x --api-key \\\n  redacted \\\n  --port 1"},
		{"flag without value", "x --auth --port 8000", "x --auth --port 8000"},
		{"flag numeric", "x --api-key 12345", "x --api-key redacted"},
		{"plain flag", "x --max-num-batched-tokens 8192 --tokenizer org/tok",
			"x --max-num-batched-tokens 8192 --tokenizer org/tok"},
		{"env", "HF_TOKEN=abc VLLM_USE_V1=1 python x.py", "HF_TOKEN=redacted VLLM_USE_V1=1 python x.py"},
		{"docker", "docker run -e HF_TOKEN=abc --env WANDB_API_KEY='d e' img",
			"docker run -e HF_TOKEN=redacted --env WANDB_API_KEY='redacted' img"},
		{"export", "export OPENAI_API_KEY=\"x y\"; run", "export OPENAI_API_KEY=\"redacted\"; run"},
		{"json in a command", `--config '{"api_key": "abc", "seed": 1}'`,
			`--config '{"api_key": "redacted", "seed": 1}'`},
		{"yaml", "password: hunter2", "password: redacted"},
		{"metric", "time to first token: 0.25 s", "time to first token: 0.25 s"},

		// Machines and people.
		{"gpu uuid", "GPU 0: H100 (UUID: GPU-01234567-89ab-cdef-0123-456789abcdef)", "GPU 0: H100 (UUID: redacted)"},
		{"mig", "MIG-01234567-89ab-cdef-0123-456789abcdef", "redacted"},
		{"serial", "    Serial Number                         : 1321021036987",
			"    Serial Number                         : redacted"},
		{"serial n/a", "Serial Number : N/A", "Serial Number : N/A"},
		{"xml", "<uuid>GPU-x</uuid><serial>13</serial><product_name>H100</product_name>",
			"<uuid>redacted</uuid><serial>redacted</serial><product_name>H100</product_name>"},
		{"host name", "Hostname: gpu-node-17", "Hostname: redacted"},
		{"private url", "base_url=http://gpu-node-17:8000/v1", "base_url=http://redacted:8000/v1"},
		{"internal url", "http://llm.internal.example.com/v1 http://api.corp/x",
			"http://redacted/v1 http://redacted/x"},
		{"public url", "https://huggingface.co/a/b https://github.com/c",
			"https://huggingface.co/a/b https://github.com/c"},
		{"someone's url", "https://llm.somebody.com/v1 at gpu-7.somebody.com:8000",
			"https://redacted/v1 at redacted:8000"},
		{"modules and files",
			"torch.nn.functional vllm.entrypoints.openai results.ai.json v0.20.0rc1.dev networking.x-k8s.io/v1",
			"torch.nn.functional vllm.entrypoints.openai results.ai.json v0.20.0rc1.dev networking.x-k8s.io/v1"},
		{"controls", "a\x00b \u202egpj.exe", "a\ufffdb \ufffdgpj.exe"},
		{"local url", "http://localhost:8000/v1 http://127.0.0.1:8000 http://0.0.0.0:8000",
			"http://localhost:8000/v1 http://127.0.0.1:8000 http://0.0.0.0:8000"},
		{"placeholder url", "http://${HOST}:8000 http://<host>/v1", "http://${HOST}:8000 http://<host>/v1"},
		{"ip url", "http://10.1.2.3:8000/v1", "http://redacted:8000/v1"},
		{"ip", "connect 192.168.3.14 failed", "connect redacted failed"},
		{"version in the network 0", "vLLM 0.9.0.2.dev108, Pytorch 2.7", "vLLM 0.9.0.2.dev108, Pytorch 2.7"},
		{"open ip", "--host 0.0.0.0", "--host 0.0.0.0"},
		{"host flag", "--host gpu17 --port 1", "--host redacted --port 1"},
		{"version", "nvidia-cublas-cu12==12.4.5.8 libcudnn.so.9.1.0.70 cudnn version: 9.1.0.70",
			"nvidia-cublas-cu12==12.4.5.8 libcudnn.so.9.1.0.70 cudnn version: 9.1.0.70"},
		{"ipv6", "peer [2001:db8::7]:80", "peer [redacted]:80"},
		{"time", "from 10:00:01 to 12:30:00", "from 10:00:01 to 12:30:00"},
		{"pci", "00000000:01:00.0", "00000000:01:00.0"},
		{"mac", "eth0 0a:1b:2c:3d:4e:5f up", "eth0 redacted up"},
		{"home", "/home/alice/models/x", "/home/redacted/models/x"},
		{"home of a mac", "/Users/Alice/x", "/Users/redacted/x"},
		{"home of windows", `C:\Users\Alice\x`, `C:\Users\redacted\x`},
		{"home of nobody", "/home/models/x /root/.cache", "/home/models/x /root/.cache"},
		{"mail", "ask jane.doe@example.org", "ask redacted"},
		{"prompt of a shell", "jane@gpu17:~/x$ ls", "redacted:~/x$ ls"},
		{"no mail", "image@sha256:0123 git@github.com:a/b model@main",
			"image@sha256:0123 git@github.com:a/b model@main"},

		{"nothing", "vLLM 0.8.2 on 2x H100, gpu_memory_utilization=0.9",
			"vLLM 0.8.2 on 2x H100, gpu_memory_utilization=0.9"},
		{"model", "mistralai/Mistral-Small-3.1-24B-Instruct-2503", "mistralai/Mistral-Small-3.1-24B-Instruct-2503"},
		{"digest", "sha256:5507ab2120f5aa0155b8e1b0b1f3f0d2", "sha256:5507ab2120f5aa0155b8e1b0b1f3f0d2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := (&Redactor{}).Text(c.in)
			if got != c.want {
				t.Errorf("%q\nbecame %q\nwant   %q", c.in, got, c.want)
			}
			if again := (&Redactor{}).Text(got); again != got {
				t.Errorf("%q\nbecame %q the second time", got, again)
			}
		})
	}
}

func TestRedactJSON(t *testing.T) {
	const (
		body   = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA+/Aa"
		long   = "MaximumNumberOfBatchedTokensOfPrefillAndDecode"
		digest = "5507ab2120f5aa0155b8e1b0b1f3f0d25507ab2120f5aa01"
	)
	for _, c := range []struct{ name, in, want string }{
		{"numbers stay", `{"api_key":12345,"token":[1,2.50,3e8],"secret":null,"password":true}`,
			`{"api_key":12345,"token":[1,2.50,3e8],"secret":null,"password":true}`},
		{"strings below a secret", `{"credentials":{"user":"a","list":["x","y",1,"None"]}}`,
			`{"credentials":{"user":"redacted","list":["redacted","redacted",1,"None"]}}`},
		{"passes that are counted and judged", `{"pass":3,"pass":"12","pass":"ok","pass":"hunter2"}`,
			`{"pass":3,"pass":"12","pass":"ok","pass":"redacted"}`},
		{"order and spaces", "{ \"b\" : 1 ,\n \"a\" : \"x\" }", `{"b":1,"a":"x"}`},
		{"argv", `[4,"set","TOKEN","s3cret","s3cret","--port","8000"]`, `[4,"set","TOKEN","redacted","redacted","--port","8000"]`},
		{"argv", `["set","-gx","HF_TOKEN","s3cret"]`, `["set","-gx","HF_TOKEN","redacted"]`},
		{"argv", `["set","layers","4"]`, `["set","layers","4"]`},
		{"argv", `["vllm","serve","--api-key","s3cret","--port","8000"]`,
			`["vllm","serve","--api-key","redacted","--port","8000"]`},
		{"argv with =", `["--api-key=s3cret"]`, `["--api-key=redacted"]`},
		{"count of prompts", `{"Prompts":"20","prompts":30}`, `{"Prompts":"20","prompts":30}`},
		{"prompts", `{"prompt":"tell me","generated_texts":["a","","b"],"prompt_len":7}`,
			`{"prompt":{"elided":"text","length":7},"generated_texts":[{"elided":"text","length":1},"",{"elided":"text","length":1}],"prompt_len":7}`},
		{"identities", `{"hostname":"gpu17","serial":"123x","uuid":"abc","host":"0.0.0.0","name":"H100"}`,
			`{"hostname":"redacted","serial":"redacted","uuid":"redacted","host":"0.0.0.0","name":"H100"}`},
		{"escapes", `{"k":"tab\there \u00e9 /home/bob/x \"q\""}`, `{"k":"tab\there é /home/redacted/x \"q\""}`},
		{"untouched escapes", `{"k":"\u00e9"}`, `{"k":"\u00e9"}`},
		{"no JSON", `{"k": NaN}`, `"{\"k\": NaN}"`},
		{"empty", `{"a":{},"b":[]}`, `{"a":{},"b":[]}`},
		{"body of a key as keys", `{"a.` + body + `":"","` + body + `=":1,"` + body + ` (line 7)":""}`,
			`{"a.redacted":"","redacted 2":1,"redacted (line 7) 3":""}`},
		{"long names are no such body", `{"` + long + `":1,"` + digest + `":2}`, `{"` + long + `":1,"` +
			digest + `":2}`},
		{"addresses", `{"dist_init_addr":"10.0.0.1:5000","master_addr":"gpu17","ok":"127.0.0.1:80"}`,
			`{"dist_init_addr":"redacted","master_addr":"redacted","ok":"127.0.0.1:80"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := string((&Redactor{}).JSON("", json.RawMessage(c.in)))
			if got != c.want {
				t.Errorf("%s\nbecame %s\nwant   %s", c.in, got, c.want)
			}
			if again := string((&Redactor{}).JSON("", json.RawMessage(got))); again != got {
				t.Errorf("%s\nbecame %s the second time", got, again)
			}
		})
	}
}

// What names the values of an object is looked for once, however many values it has.
func TestValuesOfOneObject(t *testing.T) {
	count := func(n int) float64 {
		object := []byte(`{"name":"H100"` + strings.Repeat(`,"value":"a","default":{"name":"b","value":1}`, n) + `}`)
		return testing.AllocsPerRun(1, func() { (&Redactor{}).JSON("", object) })
	}
	if few, many := count(100), count(800); many > 16*few { // each time anew it would be 64 times
		t.Errorf("100 values take %.0f allocations and 800 take %.0f", few, many)
	}
}

// TestRedactRecords plants one secret in every text of every kind of record and looks for it in
// what would be stored.
func TestRedactRecords(t *testing.T) {
	const secret = "hf_Zq3Zq3Zq3Zq3Zq3Zq3"
	const name = "mallory"
	facts := []record.Fact{{Key: record.FactCommand, Value: "serve --api-key " + secret,
		At: record.Pos{File: "/home/mallory/x"}}}
	b := record.Base{At: record.Pos{File: "/home/mallory/r.json", Line: 1},
		Identity: record.Identity{Tool: "t", Session: secret, Model: "/home/mallory/model"}, Facts: facts}
	keys := []string{"x", "mallory@gpu17", "mallory@gpu18 (line 7)", "pass@1"}
	raw := json.RawMessage(`{"a":["` + secret + `"],"b":{"c":"/home/mallory/x"},"prompt":"` + secret + `"}`)
	for _, rec := range []record.Record{
		&record.Result{Base: b, Setup: []record.KV{{Key: "hf_token", Value: name}, {Key: keys[1], Value: "~/x"}},
			Kept:     record.Kept{Raw: raw, Unmapped: keys},
			Workload: record.Workload{Name: secret, Dataset: "/home/mallory/d"},
			Doubts:   []record.Doubt{{Text: `"` + secret + `" and 1 more`}},
			Errors:   []record.ErrorCount{{Text: "Traceback\n " + name + "\nError: " + secret, Count: 1}}},
		&record.Figure{Base: b, Published: secret, Basis: "/home/mallory/x"},
		&record.Profile{Base: b},
		&record.Samples{Base: b, Kept: record.Kept{Raw: raw}, Texts: map[string]string{"password": name, "x": secret}},
		&record.Params{Base: b, Command: "HF_TOKEN=" + secret + " x /home/mallory/y",
			Params: []record.Param{{Name: keys[2], Value: json.RawMessage("1")},
				{Name: "api_key", Value: json.RawMessage(`["` + name + `"]`), At: b.At},
				{Name: "x", Value: json.RawMessage(`{"token":"` + name + `"}`)}}},
		&record.System{Base: b, Kept: record.Kept{Raw: json.RawMessage(`"Hostname: mallory\nUser name : mallory"`)}},
		&record.Facts{Base: b},
		&record.Note{Base: b, Text: "see /home/mallory/x and " + secret},
		&record.Ignored{Base: b, Reason: secret},
		&record.SyntaxError{Base: b, Text: "cannot read " + secret},
	} {
		before, err := json.Marshal(rec)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal((&Redactor{}).Record(rec))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{secret, name} {
			if strings.Contains(string(got), s) {
				t.Errorf("%T: %q is left in %s", rec, s, got)
			}
		}
		if after, _ := json.Marshal(rec); string(after) != string(before) {
			t.Errorf("%T: the record given was changed", rec)
		}
	}
}

// Who publishes a catalog does not publish where on the disk its inputs lay.
func TestPaths(t *testing.T) {
	r := &Redactor{Inputs: []string{"/mnt/disk/results", "/home/jane/results", "/mnt/a.zip", "../field", "data/raw"}}
	for in, want := range map[string]string{
		"/mnt/disk/results/a/b.json":      "results/a/b.json",
		"/mnt/disk/results":               "results",
		"/mnt/disk/results2/a.json":       "results2/a.json",
		"/mnt/a.zip!b/c.json":             "a.zip!b/c.json",
		"/home/jane/results/x.json":       "results/x.json",
		"/mnt/disk/run.toml":              "disk/run.toml",
		"/run.toml":                       "run.toml",
		"../field/x.csv":                  "field/x.csv",
		"../run.toml":                     "run.toml",
		"data/raw/a.json":                 "data/raw/a.json",
		"data/home/jane/a.json":           "data/home/redacted/a.json",
		"data/raw/hf_AbCdEfGhIjKl/a.json": "data/raw/redacted/a.json",
		// What names of folders, files and members of archives state.
		"data/token=Ab12/AccountKey=c+d==/a.json":   "data/token=redacted/AccountKey=redacted/a.json",
		"data/x.zip!api_key=Ab1/b,pwd=q.json":       "data/x.zip!api_key=redacted/b,pwd=redacted.json",
		"data/max_tokens=512/tokens=8,secret=none":  "data/max_tokens=512/tokens=8,secret=none",
		"data/run=1/SERVE--max_num_seqs=4/run.json": "data/run=1/SERVE--max_num_seqs=4/run.json",
	} {
		if got := r.Path(in); got != want {
			t.Errorf("%s is published as %s, want %s", in, got, want)
		}
		if got := r.Path(want); got != want {
			t.Errorf("%s becomes %s the second time", want, got)
		}
	}
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{"--api-key x", `{"a":"b"}`, "http://u@h:1/x", "p://u@h", "::1 10.0.0.1", "a@b.cc:~",
		"-----BEGIN PRIVATE KEY-----", "Serial Number : 12"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := (&Redactor{}).Text(s)
		if twice := (&Redactor{}).Text(once); twice != once {
			t.Errorf("%q becomes %q and then %q", s, once, twice)
		}
		raw := (&Redactor{}).JSON("k", json.RawMessage(s))
		if len(s) > 0 && !json.Valid(raw) {
			t.Errorf("%q becomes no JSON: %q", s, raw)
		}
	})
}

// Settings of a tool stand below names of parts: the last name says what they are. Whoever it was
// that sent a prompt, it stays out.
func TestRedactSettings(t *testing.T) {
	r := &Redactor{}
	for _, c := range []struct{ key, text, want string }{
		{"endpoint.host", "gpu-7.example.com", Hidden},
		{"metadata.user", "marie", Hidden},
		{"backend.node", "gpu-7", Hidden},
		{"endpoint.host", "localhost", "localhost"},
		{"env", "WANDB_API_KEY=first second", "WANDB_API_KEY=redacted"},
		{"env", "OMP_NUM_THREADS=4", "OMP_NUM_THREADS=4"},
		{"https://hf.co/a?token", "tok-1&n=5", Hidden},
		{"endpoint.node", "4", "4"},
		{"server_host", "gpu-7.example.com", Hidden},
		{"metadata.prompt", "why does it hurt", Hidden},
		{"system_prompt", "you are a doctor", Hidden},
		{"prompt", "550", "550"},
		{"client.output", "what I have dreamt of last night", Hidden},
		{"client.output", "results/of last night.json", "results/of last night.json"},
		{"host_memory", "512 GB", "512 GB"},
		{"multi_node", "torchrun", "torchrun"},
		{"backends", "CUDA,RPC[gpu-7.example.com:50052]", "CUDA,RPC[redacted:50052]"},
		{"backends", "RPC[redacted:50052]", "RPC[redacted:50052]"},
		{"backends", "RPC[127.0.0.1:50052]", "RPC[127.0.0.1:50052]"},
	} {
		if got := r.Value(c.key, c.text); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.key, c.text, got, c.want)
		}
		v, want := record.AppendText(nil, c.text), string(record.AppendText(nil, c.want))
		if got := string(r.Parameter(c.key, v)); got != want && !strings.HasPrefix(got, `{"elided":"text"`) {
			t.Errorf("%s: the parameter %q became %s, want %s", c.key, c.text, got, want)
		}
	}
	const raw = `{"id":1,"output":"a letter to a friend of mine","answer":"out/of last night.json"}`
	if got, want := string(r.JSON("",
		json.RawMessage(raw))),
		`{"id":1,"output":{"elided":"text","length":28},"answer":"out/of last night.json"}`; got != want {
		t.Errorf("raw record: %s, want %s", got, want)
	}
}

// Messages of readers quote values: they go to logs, which others read.
func TestRedactMessages(t *testing.T) {
	goldentest.Table(t, Message, map[string]string{
		`"backend.api_key" is "correct-horse", a number was expected`:   `"backend.api_key" is "redacted", a number was expected`,
		`"hf_token" is "a \"quoted\" one", a number was expected`:       `"hf_token" is "redacted", a number was expected`,
		`"counts.host" is "gpu-7.example.com", a number was expected`:   `"counts.host" is "redacted", a number was expected`,
		`"prompt" is "why does it hurt", a number was expected`:         `"prompt" is "redacted", a number was expected`,
		`"mean_ttft_ms" is "fast", a number was expected`:               `"mean_ttft_ms" is "fast", a number was expected`,
		`"api_key" is "null", a number was expected`:                    `"api_key" is "null", a number was expected`,
		`text that begins "Authorization: Bearer abcdefgh and so on"`:   `text that begins "Authorization: redacted and so on"`,
		`"x" is "sk-abcdefghijklmnop", a number was expected`:           `"x" is "redacted", a number was expected`,
		`"n" is "\"prompt\" is \"tell me\", a number", a number`:        `"n" is "\"prompt\" is \"redacted\", a number", a number`,
		`"n" is "- name: DB_PASSWORD\n  value: x1", a number`:           `"n" is "- name: DB_PASSWORD\n  value: redacted", a number`,
		`"n" is "[\"--api-key\", \"a\", \"b\", \"-p\"]", a number`:      `"n" is "[\"--api-key\",\"redacted\",\"redacted\",\"-p\"]", a number`,
		`"jane@gpu17" is "~/x", a number was expected`:                  `"redacted" is "~/x", a number was expected`,
		`"pass@10" is "high", a number was expected`:                    `"pass@10" is "high", a number was expected`,
		`"time_per_output_token" is "slow", a number was expected, see`: `"time_per_output_token" is "slow", a number was expected, see`,
	})
}

// What is taken out of a result is the same where its text is folded, however often such a text was seen.
func TestFoldedTexts(t *testing.T) {
	texts := []string{
		`{"model":"m","date":"20250101-101010","n":1.5,"none":null}`,
		`{"model":"m","date":"20250101-101011","n":-2e-7,"none":true}`,
		`{"model":"/home/jane/m","date":"","n":"a b","none":"hf_abcdefghijklmnopqrstuvwxyzabcdefgh"}`,
		`{"api_key":"k1","n":1}`, `{"api_key":null,"n":1}`, `{"name":"DB_PASSWORD","value":"x"}`,
		`{"prompt":"say it","n":1}`, `{"hostname":"gpu17","n":1}`, `{"jane@gpu17:~$":1}`, `{"env":"A=b","n":1}`,
		`{"a":{"password":"x"},"b":[1,"--token","t"]}`, `{"a":"\u0041","b":"1"}`, `{"\u0061":"x"}`,
		`{"a":"{\"password\":\"x\"}"}`, `{"response":"It was the best of times, it was the worst of times, twice"}`,
	}
	var folder record.Folder
	hide, plain := &Redactor{}, &Redactor{}
	for range 3 {
		for _, text := range texts {
			result := func() *record.Result {
				r := &record.Result{Values: []record.Value{{Unit: "s"}}}
				r.Raw = []byte(text)
				return r
			}
			folded := result()
			if folder.Fold(folded); folded.Raw != nil {
				t.Fatalf("%s is not folded", text)
			}
			hide.Redact(folded)
			want := string(plain.Record(result()).(*record.Result).Raw)
			if got := string(folded.AppendRaw(nil)); got != want {
				t.Errorf("of %s\n%s is left where it is folded, and\n%s otherwise", text, got, want)
			}
		}
	}
}

// What is hidden in a command is hidden in its parameters too: only the program says what "-u" and "-a" are.
func TestCommand(t *testing.T) {
	text := func(s string) json.RawMessage { return json.RawMessage(`"` + s + `"`) }
	got := (&Redactor{}).Record(&record.Params{Command: "curl -u someone:Q7cAnAr -a fast -p 'tell Q7cAnAr a story' http://localhost/v1",
		Params: []record.Param{{Name: "u", Value: text("someone:Q7cAnAr")}, {Name: "a", Value: text("fast")},
			{Name: "p", Value: text("tell Q7cAnAr a story")},
			{Name: "u", Value: json.RawMessage(`["someone:Q7cAnAr","fast"]`)}}}).(*record.Params)
	for i, want := range []string{`"redacted"`, `"fast"`, `"redacted"`, `["redacted","fast"]`} {
		if p := got.Params[i]; string(p.Value) != want {
			t.Errorf("%s is %s and not %s", p.Name, p.Value, want)
		}
	}
}
