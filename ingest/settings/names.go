package settings

import "encoding/json"

// Names knows what models, accelerators, engines and quantizations are called and what is known
// of them: the data/names/*.toml of the program and of a catalog. A nil *Names knows nothing.
type Names struct {
	models        entries[*Model]
	modelBases    map[string]int // normalised name without organisation; -1 where two share it
	modelSlugs    map[string]int
	accelerators  entries[*Accelerator]
	engines       entries[*engine]
	quantizations entries[*Quantization]
	wrappers      map[string]Wrapper
	tools         map[string]Tool
	notArguments  map[string]string
	prices        []Price
	changes       []Change

	hardware remembered[asked, Hardware]
	mentions remembered[string, []Mention]
}

// asked is a question to [Names.Hardware].
type asked struct {
	text  string
	count int
}

// Model is an LLM: one set of weights. Nil and empty members are not known.
type Model struct {
	// ID is "organisation/name" for a listed model, else the name as written.
	ID string
	// Org is the organisation, Name what readers call it: "Llama 3.3 70B Instruct".
	Org, Name string
	// Slug depends on nothing but the name: "llama-3.3-70b-instruct".
	Slug string
	// Base is the id of the model this one was quantised or fine-tuned from.
	Base string
	// Known says that the model is listed in data/names.
	Known bool
	// ParamsB and ActiveParamsB are in 10^9 parameters; active ones work on each token.
	ParamsB, ActiveParamsB *float64
	// Size is how large the name says the model is, as written: "24B", "8x7B", "30B-A3B".
	Size                     string
	Layers, KVHeads, HeadDim *int
	// Attention is "mha", "gqa", "mla", with "sliding" where some layers have a window.
	Attention string
	// Precision is the type most weights are stored in: "bf16", "fp8", "int4". Quantization is
	// the method: "AWQ", "GPTQ", "GGUF Q4_K_M". A model in its own precision has none.
	Precision, Quantization string
	// Aliases are further spellings that data/names lists, for those who search.
	Aliases []string
	// Source says where the facts come from.
	Source string
	// Parsed lists the members, by their keys in models.toml, that were read from the name and
	// may be wrong.
	Parsed []string
}

// Hardware is what served: accelerators of one kind and their number.
type Hardware struct {
	Accelerator Accelerator
	// Count is at least 1; CountAssumed says that no source states it.
	Count        int
	CountAssumed bool
	// Slug is "h100" or "4x-mi100", Name "H100" or "4× MI100".
	Slug, Name string
	// Note is what the text says beyond count and accelerator; empty for most.
	Note string
}

// Accelerator is one kind of GPU or the like. Nil members are not known, or differ between the
// variants of a family.
type Accelerator struct {
	ID, Vendor string
	// Name is what readers call it, Short the same without what goes without saying: "MI100".
	Name, Short string
	Slug        string
	// Known says that the accelerator is listed in data/names.
	Known bool
	// MemoryGB is in 10^9 bytes, BandwidthGBs in 10^9 bytes a second.
	MemoryGB, BandwidthGBs *float64
	// Dense peaks without sparsity, in 10^12 operations a second.
	FP16, BF16, FP8, FP4, INT8 *float64
	// PowerW is the board power.
	PowerW     *float64
	MemoryType string
	Year       *int
	// Variants are the ids of the accelerators that the name of a family may mean;
	// FormFactorUnknown says that there are some.
	Variants          []string
	FormFactorUnknown bool
	// Aliases are further spellings that data/names lists, for those who search.
	Aliases []string
	// Source says where the specification comes from.
	Source string
}

// Engine is what serves a model: vLLM 0.8.2.
type Engine struct {
	// ID is the id in data/names, else the slug; Name what readers call it.
	ID, Name, Slug, Version string
	// Command starts it, with [ModelPlace] for the model; "" where it is not known.
	Command string
	// Known says that the engine is listed in data/names.
	Known bool
}

// engine is an entry of data/names with the defaults of its launch arguments.
type engine struct {
	Engine
	// versions are those whose arguments are known, in ascending order.
	versions []string
	params   map[string][]defaultRow
}

// defaultRow is the default of an argument from one version to another, both included.
type defaultRow struct {
	since, until string
	value        json.RawMessage
}

// Quantization is a type of weights or of a cache, or a method that makes them small: "bf16",
// "fp8", "AWQ".
type Quantization struct {
	// ID is the id in data/names, Name what readers call it; both are the text as written for one
	// that is not listed.
	ID, Name string
	// Bits one weight takes; nil where the method allows several, or it is not known.
	Bits *float64
	// Known says that it is listed in data/names.
	Known bool
}

// Price is what an hour of one accelerator costs at a provider, as somebody read it on a day.
type Price struct {
	// Provider is who asks the price, with the kind of contract: "Example Cloud, on demand".
	Provider string
	// Accelerator is the id of an accelerator in data/names.
	Accelerator string
	// PerHour is the price of one accelerator for an hour, in Currency.
	PerHour float64
	// Currency is the code of three letters: "USD".
	Currency string
	// Date is the day on which the price was read, "2025-03-26"; Address is where. An empty Address is an internal
	// price, which readers cannot look up.
	Date, Address string
	// File and Line say where the row stands.
	File string
	Line int
}

// Change is what somebody wrote down of an engine or of a laboratory: with which version or from
// which day on measurements may look different. Charts over time show it beside what was measured.
type Change struct {
	// Engine is the slug of the engine; empty for what holds for all, such as another power supply.
	Engine string
	// Version is the first version that has the change; Date the first day, "2025-03-26". One of
	// the two is set, or both.
	Version, Date string
	// Text says in one clause what changed; Address is where one can read of it, or empty.
	Text, Address string
	// File and Line say where the entry stands.
	File string
	Line int
}

// NotRecorded is the slug of a model, and of an accelerator, that no source names.
const NotRecorded = "not-recorded"
