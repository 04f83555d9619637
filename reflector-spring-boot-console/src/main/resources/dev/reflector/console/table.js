// The table of the objects of a reflector. Only visible objects have rows. Objects are read
// from the application page by page.

import "./environment.js";
import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from "./vendor/virtual-core/index.js";
import { Refused, SessionExpired } from "./api.js";
import { Filters } from "./filters.js";
import { element, number, reconcile, setAttribute, setText } from "./dom.js";
import { columns, fillRow, newRow, objectKey } from "./row.js";

const PAGE = 100;
const PAGES_KEPT = 20;

// Shortest time between two reads of the visible pages, in milliseconds, because changes may
// come much faster than anyone can read.
const REST = 1000;

const narrow = matchMedia("(max-width: 720px)");

const rowHeight = () => (narrow.matches ? 60 : 36);

export class ObjectTable {
	#api;

	#name;

	#options;

	#pages = new Map();

	#count = 0;

	#active = 0;

	#selected = null;

	#stale = false;

	// whether the last read has failed; until the query changes, the application answers again,
	// or some time has passed
	#failed = false;

	// whether the user waits for the result of a search or filter. Only this result is
	// announced; other changes of the number of objects are not
	#asked = false;

	#reading = null;

	#rest = null;

	#now = () => Date.now();

	// options: query, onquery(query, keep), onopen(item), onexpired(), onanswer(text)
	constructor(api, name, options) {
		this.#api = api;
		this.#name = name;
		this.#options = options;
		this.query = options.query;
		this.filters = new Filters(this.query, (change) => {
			this.#asked = true;
			this.#ask(change);
		});
		this.matching = element("p", { class: "rc-matching", "data-testid": "matching" });
		this.empty = element("p", { class: "rc-empty", "data-testid": "objects-empty", hidden: true });
		this.sorters = new Map();
		this.header = element(
			"div",
			{ role: "row", class: "rc-row rc-row-head", "aria-rowindex": 1 },
			...columns.map((column) => this.#heading(column))
		);
		this.body = element("div", { role: "rowgroup", class: "rc-rows" });
		this.grid = element(
			"div",
			{
				role: "grid",
				class: "rc-grid",
				tabindex: 0,
				"aria-label": `Objects of ${name}`,
				"aria-readonly": "true",
				"data-testid": "objects",
				onkeydown: (event) => this.#key(event),
				onfocus: () => this.#mark()
			},
			element("div", { role: "rowgroup", class: "rc-rows-head" }, this.header),
			this.body
		);
		this.element = element(
			"section",
			{ class: "rc-panel rc-objects", "aria-labelledby": "rc-objects-title" },
			element("div", { class: "rc-panel-head" }, element("h3", { id: "rc-objects-title" }, "Objects"), this.matching),
			this.filters.element,
			this.grid,
			this.empty
		);
		this.virtual = new Virtualizer(this.#virtualOptions());
		this.#sorted();
	}

	// Called after the element was added to the page.
	start() {
		this.unmount = this.virtual._didMount();
		this.virtual._willUpdate();
		this.onnarrow = () => {
			this.virtual.setOptions(this.#virtualOptions());
			this.virtual.measure();
		};
		narrow.addEventListener("change", this.onnarrow);
		this.#read();
	}

	destroy() {
		this.unmount?.();
		narrow.removeEventListener("change", this.onnarrow);
		clearTimeout(this.#rest);
		this.#reading?.abort();
		this.filters.destroy();
	}

	// Called when objects have changed. The visible pages are read again.
	changed() {
		this.#stale = true;
		this.#later();
	}

	// Called when the application answers again.
	again() {
		clearTimeout(this.#rest);
		this.#stale = true;
		if (!this.#reading) {
			this.#read();
		}
	}

	tick(now) {
		this.#now = now;
		this.#draw();
	}

	select(key) {
		this.#selected = key;
		this.#draw();
	}

	// Moves the focus to the row of an object, if the page with the object was read.
	focus(key) {
		for (const [page, { items }] of this.#pages) {
			const place = items.findIndex((item) => objectKey(item) === key);
			if (place >= 0) {
				this.#active = page * PAGE + place;
				this.virtual.scrollToIndex(this.#active);
				this.#draw();
				break;
			}
		}
		this.grid.focus({ preventScroll: true });
	}

	setQuery(query) {
		this.query = query;
		this.filters.show(query);
		this.#restart();
	}

	#virtualOptions() {
		return {
			count: this.#count,
			estimateSize: rowHeight,
			overscan: 6,
			getScrollElement: () => this.grid,
			scrollMargin: narrow.matches ? 40 : 34,
			scrollPaddingStart: 36,
			scrollPaddingEnd: 4,
			observeElementRect,
			observeElementOffset,
			scrollToFn: elementScroll,
			onChange: () => {
				this.#draw();
				this.#later();
			}
		};
	}

	#heading({ id, title, sort }) {
		if (!sort) {
			return element("div", { role: "columnheader", class: `rc-cell rc-cell-${id}` }, title);
		}
		const button = element(
			"button",
			{ type: "button", "data-testid": `sort-${sort}`, onclick: () => this.#sort(sort) },
			title
		);
		const heading = element("div", { role: "columnheader", class: `rc-cell rc-cell-${id}`, "aria-sort": "none" }, button);
		this.sorters.set(sort, heading);
		return heading;
	}

	#sort(sort) {
		const same = (this.query.sort || "key") === sort;
		const first = sort === "version" || sort === "changed" ? "desc" : "asc";
		const order = !same ? first : (this.query.order || "asc") === "asc" ? "desc" : "asc";
		this.#ask({ sort, order });
	}

	#sorted() {
		this.sorters.forEach((heading, sort) =>
			heading.setAttribute(
				"aria-sort",
				(this.query.sort || "key") !== sort ? "none" : this.query.order === "desc" ? "descending" : "ascending"
			)
		);
	}

	#ask(change) {
		this.query = { ...this.query, ...change };
		this.#options.onquery(this.query);
		this.#restart();
	}

	#restart() {
		this.#sorted();
		this.#pages.forEach((page) => (page.stale = true));
		this.#active = 0;
		this.grid.scrollTop = 0;
		this.#reading?.abort();
		this.#reading = null;
		clearTimeout(this.#rest);
		this.#rest = null;
		this.#pages.clear();
		this.#read();
	}

	// Reads soon: missing pages almost at once, changed pages after the pause.
	#later() {
		if (this.#failed || this.#reading) {
			return;
		}
		if (this.#wanted().some((page) => !this.#pages.has(page))) {
			clearTimeout(this.#rest);
			this.#rest = setTimeout(() => this.#read(), 60);
		} else if (this.#stale && this.#rest === null) {
			this.#rest = setTimeout(() => this.#read(), document.hidden ? 5 * REST : REST);
		}
	}

	#wanted() {
		const items = this.virtual.getVirtualItems();
		const first = Math.floor((items[0]?.index ?? 0) / PAGE);
		const last = Math.floor((items.at(-1)?.index ?? 0) / PAGE);
		return Array.from({ length: last - first + 1 }, (_, index) => first + index);
	}

	async #read() {
		this.#rest = null;
		this.#failed = false;
		const reading = new AbortController();
		this.#reading = reading;
		const wanted = this.#wanted();
		if (this.#stale) {
			this.#stale = false;
			this.#pages.forEach((page) => (page.stale = true));
		}
		try {
			for (const page of wanted.filter((it) => this.#pages.get(it)?.stale !== false)) {
				const answer = await this.#api.objects(
					this.#name,
					{ ...this.query, offset: page * PAGE, limit: PAGE },
					reading.signal
				);
				this.#received(page, answer);
			}
			this.filters.fault(null);
		} catch (failure) {
			if (failure.name === "AbortError") {
				return;
			}
			this.#fail(failure);
		}
		this.#reading = null;
		this.#draw();
		this.#later();
	}

	#received(page, answer) {
		this.#pages.delete(page);
		this.#pages.set(page, { stale: false, items: answer.items });
		if (this.#pages.size > PAGES_KEPT) {
			this.#pages.delete(this.#pages.keys().next().value);
		}
		if (this.#count !== answer.matching) {
			this.#count = answer.matching;
			this.virtual.setOptions(this.#virtualOptions());
			this.virtual._willUpdate();
		}
		const filtered = answer.matching !== answer.total;
		setText(
			this.matching,
			filtered ? `${number(answer.matching)} of ${number(answer.total)} objects` : `${number(answer.total)} objects`
		);
		if (this.#asked) {
			this.#asked = false;
			this.#options.onanswer(this.matching.textContent);
		}
		// the height grows in steps, so that the content below does not move with each object
		this.grid.style.setProperty("--rc-rows", Math.max(5, Math.ceil(answer.matching / 5) * 5));
		this.empty.hidden = answer.matching > 0;
		this.grid.classList.toggle("rc-grid-empty", answer.matching === 0);
		setText(this.empty, filtered ? "No matches. Clear the search or the filters." : "The mirror has no objects.");
		this.filters.namespaces(answer.namespaces ?? []);
	}

	#fail(failure) {
		this.#failed = true;
		if (failure instanceof SessionExpired) {
			this.#options.onexpired();
		} else if (failure instanceof Refused && failure.status === 400) {
			this.filters.fault(failure.message);
		} else {
			this.#pages.forEach((page) => (page.stale = true));
			this.#rest = setTimeout(() => this.#read(), 5 * REST);
		}
	}

	#item(index) {
		return this.#pages.get(Math.floor(index / PAGE))?.items[index % PAGE];
	}

	#draw() {
		const margin = this.virtual.options.scrollMargin;
		setAttribute(this.grid, "aria-rowcount", this.#count + 1);
		this.body.style.height = `${this.virtual.getTotalSize()}px`;
		const rows = this.virtual.getVirtualItems().filter((row) => row.index < this.#count);
		reconcile(
			this.body,
			rows,
			(row) => row.index,
			(row) => newRow(row.index, () => this.#open(row.index)),
			(node, row) => {
				node.style.transform = `translateY(${row.start - margin}px)`;
				fillRow(node, this.#item(row.index), this.#selected, this.#now());
			}
		);
		this.#mark();
	}

	#mark() {
		const id = `rc-row-${this.#active}`;
		const present = this.body.querySelector(`#${id}`);
		this.body.querySelectorAll("[data-active]").forEach((row) => row !== present && row.removeAttribute("data-active"));
		present?.setAttribute("data-active", "");
		setAttribute(this.grid, "aria-activedescendant", present ? id : null);
	}

	#open(index) {
		this.#active = index;
		this.#mark();
		const item = this.#item(index);
		if (item) {
			this.#options.onopen(item);
		}
	}

	#key(event) {
		if (event.target !== this.grid || event.altKey || event.ctrlKey || event.metaKey) {
			return;
		}
		const page = Math.max(1, Math.floor(this.grid.clientHeight / rowHeight()) - 2);
		const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.#count, End: this.#count };
		if (event.key in moves && this.#count > 0) {
			this.#active = Math.min(this.#count - 1, Math.max(0, this.#active + moves[event.key]));
			this.virtual.scrollToIndex(this.#active);
			this.#draw();
		} else if ((event.key === "Enter" || event.key === " ") && this.#count > 0) {
			this.#open(this.#active);
		} else {
			return;
		}
		event.preventDefault();
	}
}
