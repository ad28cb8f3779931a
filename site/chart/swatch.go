package chart

// KeyItem is one entry of a key: a name and the look it stands for.
type KeyItem struct {
	Name string
	// Slot, Marker and Solid as in Series.
	Slot, Marker int
	Solid        bool
	Box          bool // a filled box (Bars) instead of line and mark
	NoLine       bool // a mark alone
	NoMark       bool // a line alone
	Hollow       bool // a hollow mark
	Suspect      bool // the mark of what cannot be believed
}

func (k *KeyItem) slot() int { return slotOr(k.Slot, 1) }

func (k *KeyItem) width() int {
	if k.Box || k.NoLine {
		return 12 * px
	}
	return 30 * px
}

// swatch draws the look of a key item with its left end at x, its middle at y.
func swatch(p pen, k *KeyItem, x, y int) {
	w := k.width()
	if k.Box {
		rect(p, "fillb", x, y-6*px, x+w, y+6*px)
		return
	}
	if !k.NoLine {
		class := "ln"
		if k.Solid {
			class = "ln so"
		}
		line(p, class, x+px, y, x+29*px, y)
	}
	if k.NoMark {
		return
	}
	if k.Suspect {
		crossed(p, x+w/2, y)
		return
	}
	m := slotOr(k.Marker, k.slot())
	class := "mk"
	switch {
	case m == strokeMarker:
		class = "mk x"
	case k.Hollow:
		class = "mk ho"
	}
	marker(p, class, m, x+w/2, y, markRadius)
}
