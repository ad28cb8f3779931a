package page

// The views. What a layout sees of a page is made of these structs, as JSON below .Params.page:
// plain text that templates escape, numbers formatted already, links relative to the page.

// Frame is what every generated page has around its content.
type Frame struct {
	// Nav is the entry of the main navigation that is current: "scorecard", "models", "hardware",
	// "engines", "rankings", "runs", "data", "about".
	Nav string `json:"nav"`
	// Crumbs lead from the top to this page; the last one is the page and has no Href.
	Crumbs  []Link `json:"crumbs,omitempty"`
	Heading string `json:"heading"`
	// Lede is one or two sentences below the heading.
	Lede Said `json:"lede,omitzero"`
	// Facts are what the page is about, in four to six pairs.
	Facts []Fact `json:"facts,omitempty"`
	// Toc are the sections of the page; empty on short pages.
	Toc []Link `json:"toc,omitempty"`
	// Preview is the picture of link previews. Feed is the page's own Atom feed beside the site's.
	Preview *Image `json:"preview,omitempty"`
	Feed    *Link  `json:"feed,omitempty"`
	// SelfContained says that the page becomes a file of its own, without what leads through a site.
	SelfContained bool `json:"self_contained,omitempty"`
	// OEmbed is the file that says how other sites show the page in a frame.
	OEmbed *Link `json:"oembed,omitempty"`
	// Dataset is the fragment of the head that describes the data set to search engines.
	Dataset *DataBlock `json:"dataset,omitempty"`
}

// DataBlock is a data block in the head of a page: JSON that no script runs.
type DataBlock struct {
	Fragment string `json:"fragment"`
}

// Pager leads to the neighbours of a page among pages of its kind.
type Pager struct {
	// Of names the sequence: "Runs of X on Y".
	Of       string `json:"of"`
	Previous *Link  `json:"previous,omitempty"`
	Next     *Link  `json:"next,omitempty"`
}

// Link is an anchor. Without Href it is bare text, or the place the reader is at.
type Link struct {
	Text  string `json:"text"`
	Href  string `json:"href,omitempty"`
	Title string `json:"title,omitempty"`
}

// Part is a piece of a sentence: bare text, a link, code, or text with the
// exact number in its title.
type Part struct {
	Text  string `json:"text"`
	Href  string `json:"href,omitempty"`
	Title string `json:"title,omitempty"`
	Code  bool   `json:"code,omitempty"`
}

// Fact is one pair of a page's description. Flag is set in amber behind the text.
type Fact struct {
	Name  string `json:"name"`
	Parts []Part `json:"parts"`
	Flag  *Link  `json:"flag,omitempty"`
}

// Stat is a headline figure.
type Stat struct {
	ID    string `json:"id,omitempty"`
	Name  string `json:"name"`
	Value string `json:"value"`
	Unit  string `json:"unit,omitempty"`
	// Exact is the whole number, shown as the value's title.
	Exact string `json:"exact,omitempty"`
	Note  []Part `json:"note,omitempty"`
	// Warn stands in amber below the note: what became of requests that were not all completed with output.
	Warn string `json:"warn,omitempty"`
}

// Sentence is a statement below a short topic. Warn sets the topic in amber: read this before
// you quote.
type Sentence struct {
	ID    string `json:"id,omitempty"`
	Topic string `json:"topic"`
	Warn  bool   `json:"warn,omitempty"`
	Parts []Part `json:"parts"`
}

// Section is a part of a page with an anchor of its own.
type Section struct {
	ID     string  `json:"id"`
	Title  string  `json:"title"`
	Blocks []Block `json:"blocks"`
}

// Block is one piece of a section. Exactly one member is set.
type Block struct {
	Text    []Part     `json:"text,omitempty"`
	Heading *Heading   `json:"heading,omitempty"`
	Says    []Sentence `json:"says,omitempty"`
	Figure  *Figure    `json:"figure,omitempty"`
	// Pair is two figures side by side where there is room.
	Pair []Figure `json:"pair,omitempty"`
	// Table names the fragment of a table.
	Table   string   `json:"table,omitempty"`
	Details *Details `json:"details,omitempty"`
	// Group is several collapsed tables in columns.
	Group []Details  `json:"group,omitempty"`
	Code  []CodeLine `json:"code,omitempty"`
	Quote *Quote     `json:"quote,omitempty"`
	List  [][]Part   `json:"list,omitempty"`
}

// Heading is a heading within a section.
type Heading struct {
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`
}

// Figure is a chart with its caption.
type Figure struct {
	ID string `json:"id"`
	// Finding is the caption: a sentence with numbers. What says metric, workload and marks.
	Finding Said   `json:"finding"`
	What    string `json:"what,omitempty"`
	// Chart names the fragment that draws it, "" where a drawing would tell no more than Data, which is then open.
	Chart string   `json:"chart,omitempty"`
	Notes [][]Part `json:"notes,omitempty"`
	// Data is the table of the chart's numbers.
	Data  *Details `json:"data,omitempty"`
	Files []Link   `json:"files,omitempty"`
	// SVGs are the places of small multiples in their file, named as their panels.
	SVGs []Link `json:"svgs,omitempty"`
}

// Details is a fragment that opens on demand.
type Details struct {
	ID       string `json:"id,omitempty"`
	Summary  string `json:"summary"`
	Fragment string `json:"fragment"`
}

// CodeLine is a line of a command. Comment sets it apart and puts a # before it.
type CodeLine struct {
	Text    string `json:"text"`
	Comment bool   `json:"comment,omitempty"`
}

// Quote is prose found in a source: shown as a quotation, never as data.
type Quote struct {
	Text   string `json:"text"`
	Author string `json:"author,omitempty"`
}

// ReportView is a page of headline figures and sections: models, hardware, cards, runs, data.
type ReportView struct {
	Frame
	Stats    []Stat    `json:"stats,omitempty"`
	Sections []Section `json:"sections,omitempty"`
	// Pagers stand at the end of the page.
	Pagers []Pager `json:"pagers,omitempty"`
}

// DropView is a page that reads files of its readers.
type DropView struct {
	ReportView
	// Reader is what reads them; nil where there is none.
	Reader *Reader `json:"reader,omitempty"`
}

// Reader is what a browser reads files with. Module, Starter and Names are addresses of what it loads, Formats that of
// the page of formats, Units that of the units of a catalog where runs are compared with it, else "".
type Reader struct {
	Units   string `json:"units,omitempty"`
	Module  string `json:"module"`
	Starter string `json:"starter"`
	Names   string `json:"names"`
	Formats string `json:"formats"`
	// Submit is the address that opens a pull request; "" where no repository is known.
	Submit string `json:"submit,omitempty"`
	// Size is that of the module, for readers.
	Size string `json:"size"`
	// Most is how many bytes all files may have together, Patience how many seconds may pass without a sign of life.
	Most     string `json:"most"`
	Patience string `json:"patience"`
}

// HomeView is the scorecard of one class of workload. On the home page it is the class with most
// cells, and sections follow; Columns are set side by side where there is room.
type HomeView struct {
	Frame
	// Answer is the best result of all, above the scorecard.
	Answer    Said       `json:"answer,omitzero"`
	Scorecard *Scorecard `json:"scorecard,omitempty"`
	Sections  []Section  `json:"sections,omitempty"`
	Columns   []Section  `json:"columns,omitempty"`
}

// Scorecard is the matrix of models and hardware in one metric.
type Scorecard struct {
	// Workloads and Metrics switch to the same matrix for another class or metric: pages. The one
	// without Href is this one.
	Workloads []Link `json:"workloads,omitempty"`
	Metrics   []Link `json:"metrics"`
	// Parts are the pages of a matrix with more models than one page holds.
	PartsLabel string `json:"parts_label,omitempty"`
	Parts      []Link `json:"parts,omitempty"`
	Definition []Part `json:"definition"`
	// Left says which models and hardware have no place in the matrix.
	Left   Parts        `json:"left,omitempty"`
	Table  string       `json:"table"` // fragment
	Unit   string       `json:"unit,omitempty"`
	Legend []LegendStep `json:"legend,omitempty"`
	Notes  []LegendNote `json:"notes,omitempty"`
}

// LegendStep is one step of the heat scale: Class is "h1" to "h5".
type LegendStep struct {
	Class string `json:"class"`
	Text  string `json:"text"`
}

// LegendNote explains a sign of the matrix. Class is "wideonly" or "narrowonly" where it is
// shown in one form of the matrix alone.
type LegendNote struct {
	Class string `json:"class,omitempty"`
	Text  string `json:"text"`
}

// Image is the picture of a page's link preview.
type Image struct {
	// Href is the picture's absolute address.
	Href string `json:"href"`
	Alt  string `json:"alt"`
}
