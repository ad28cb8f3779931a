package page

// Order is a table in one order of its rows: its anchor, and what the rows are ordered by.
type Order struct {
	ID, By string
	Table  *Grid
}

// WriteOrders writes a table in several orders. The page shows the first, or the one that its address names: links
// above the table lead to the others, so that none needs a script. The style sheet hides the rest (.orders).
func WriteOrders(m *Markup, orders []Order) {
	m.Raw(`<div class=orders>`)
	for _, o := range orders {
		m.Raw("<div")
		m.Attr("id", o.ID)
		m.Raw(`><nav`)
		m.Attr("aria-label", "Order")
		m.Raw(`><ul class=switch><li class=lab aria-hidden=true>Order by</li>`)
		for _, other := range orders {
			if other.ID == o.ID {
				m.Raw(`<li><span class=on aria-current=true>`)
				m.Text(other.By)
				m.Raw("</span>")
				continue
			}
			m.Raw("<li>")
			m.Link("#"+other.ID, other.By)
		}
		m.Raw("</ul></nav>")
		o.Table.Write(m)
		m.Raw("</div>")
	}
	m.Raw("</div>")
}
