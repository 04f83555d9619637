// Shows one object: the fields that the last change has changed, and the whole object as a tree.

import { Refused, SessionExpired } from "./api.js";
import { ago, dateAndTime, element, fieldPath, isolate, reconcile, setText } from "./dom.js";
import { shape } from "./shapes.js";
import { changeWords } from "./words.js";

// Objects and lists with more entries are collapsed at first.
const OPEN = 12;

// How many characters of a text are shown at first.
const LONG = 300;

const REST = 1000;

// Matches if the view covers the page, like the rule in object.css.
const covering = matchMedia("(max-width: 720px)");

export class ObjectView {
	#api;

	#name;

	#options;

	#reading = null;

	#timer = null;

	#shown = null;

	#tree = "";

	// the function that makes the rest of the page usable again; set while the view
	// covers the page
	#release = null;

	// options: namespace, name, onclose(), onexpired()
	constructor(api, name, options) {
		this.#api = api;
		this.#name = name;
		this.#options = options;
		this.title = element("h3", { id: "rc-object-title", "data-testid": "object-title", tabindex: -1 }, options.name);
		this.change = element("p", { class: "rc-object-change rc-muted" }, "reading…");
		this.deleted = element("p", {
			class: "rc-notice rc-notice-bad",
			"data-testid": "object-deleted",
			role: "status",
			hidden: true
		});
		this.differences = element("div", { class: "rc-differences" });
		this.count = element("span", { class: "rc-count" });
		this.none = element("p", { class: "rc-muted rc-no-difference" });
		this.tree = element("div", { class: "rc-tree", "data-testid": "object-tree" });
		this.element = element(
			"div",
			{
				class: "rc-object",
				role: "dialog",
				"aria-modal": "false",
				"aria-labelledby": "rc-object-title",
				"data-testid": "object-view"
			},
			element(
				"header",
				{},
				element(
					"div",
					{},
					element(
						"p",
						{ class: "rc-object-namespace rc-muted" },
						options.namespace ? `${name} · ${options.namespace}` : name
					),
					this.title,
					this.change
				),
				element(
					"button",
					{
						type: "button",
						class: "rc-icon-button",
						"aria-label": "Close the object",
						title: "Close (Escape)",
						"data-testid": "object-close",
						onclick: () => this.#options.onclose()
					},
					shape("close")
				)
			),
			element(
				"div",
				{ class: "rc-object-body", tabindex: 0, role: "region", "aria-label": "Content of the object" },
				this.deleted,
				element("section", {}, element("h4", {}, "What the last change did", this.count), this.none, this.differences),
				element("section", {}, element("h4", {}, "The object, as the mirror has it"), this.tree)
			)
		);
	}

	// Called after the element was added to the page.
	start() {
		this.oncovering = () => this.#cover(covering.matches);
		covering.addEventListener("change", this.oncovering);
		this.#cover(covering.matches);
		this.title.focus({ preventScroll: true });
		this.#read();
	}

	destroy() {
		covering.removeEventListener("change", this.oncovering);
		this.#release?.();
		this.#reading?.abort();
		clearTimeout(this.#timer);
	}

	changed() {
		if (this.#timer === null) {
			this.#timer = setTimeout(() => this.#read(), REST);
		}
	}

	tick(now) {
		const answer = this.#shown;
		if (answer) {
			setText(
				this.change,
				answer.changedAt
					? `${changeWords(answer.change)} ${ago(answer.changedAt, now())} · ${dateAndTime(answer.changedAt)}`
					: "Not changed since the console began to look"
			);
		}
	}

	#cover(modal) {
		this.#release?.();
		this.#release = modal ? isolate(this.element) : null;
		this.element.setAttribute("aria-modal", String(modal));
		if (modal && !this.element.contains(document.activeElement)) {
			this.title.focus({ preventScroll: true });
		}
	}

	async #read() {
		this.#timer = null;
		this.#reading?.abort();
		this.#reading = new AbortController();
		try {
			this.#show(await this.#api.object(this.#name, this.#options.namespace, this.#options.name, this.#reading.signal));
		} catch (failure) {
			if (failure instanceof SessionExpired) {
				this.#options.onexpired();
			} else if (failure instanceof Refused && failure.status === 404) {
				this.#gone();
			}
		}
	}

	#gone() {
		this.deleted.hidden = false;
		setText(
			this.deleted,
			this.#shown ? "This object has been deleted. What you see is its last known state." : "The mirror has no such object."
		);
		if (!this.#shown) {
			setText(this.change, "");
		}
	}

	#show(answer) {
		this.#shown = answer;
		const content = answer.object ?? answer.previous;
		this.deleted.hidden = answer.object !== null;
		setText(
			this.deleted,
			answer.object === null ? "This object has been deleted. What you see is its last known state." : ""
		);
		const differences =
			answer.object === null ? [] : [...(answer.differences ?? [])].sort((one, other) => about(one) - about(other));
		setText(
			this.count,
			differences.length > 0 ? ` ${differences.length} ${differences.length === 1 ? "field" : "fields"}` : ""
		);
		setText(
			this.none,
			differences.length > 0
				? ""
				: answer.object === null
					? "It was deleted."
					: answer.change === "ADDED"
						? "It appeared: there is no state before this one."
						: "There is no earlier state to compare with. The next change will show here, field by field."
		);
		this.none.hidden = differences.length > 0;
		this.#showDifferences(differences);
		const text = JSON.stringify(content);
		if (text !== this.#tree) {
			this.#showTree(content, new Set(differences.map((it) => it.path)));
			this.#tree = text;
		}
	}

	#showDifferences(differences) {
		const side = (sign, kind, spoken) =>
			element(
				"div",
				{ class: `rc-side rc-side-${kind}` },
				element("span", { class: "rc-side-sign", "aria-hidden": "true" }, sign),
				element("span", { class: "rc-hidden" }, spoken),
				element("code")
			);
		reconcile(
			this.differences,
			differences,
			(it) => it.path,
			(it) =>
				element(
					"div",
					{ class: "rc-difference", "data-testid": "difference", "data-path": it.path },
					element("div", { class: "rc-path" }, fieldPath(it.path) || "(the whole object)"),
					side("−", "before", "before: "),
					side("+", "after", "after: ")
				),
			(node, it) =>
				[it.before, it.after].forEach((value, index) => {
					node.classList.toggle(
						"rc-difference-short",
						[it.before, it.after].every((side) => side !== null && short(side).length <= 24)
					);
					const row = node.children[index + 1];
					row.hidden = value === null || value === undefined;
					setText(row.lastChild, row.hidden ? "" : short(value));
				})
		);
	}

	// Keeps expanded entries expanded.
	#showTree(content, changed) {
		const open = new Map([...this.tree.querySelectorAll("details")].map((it) => [it.dataset.path, it.open]));
		this.tree.replaceChildren(branch(content, "", changed, open));
	}
}

// Sorts differences: fields with content come before fields that only record that there was
// a change.
const about = ({ path }) => (path.startsWith("/metadata/") ? 1 : 0);

function short(value) {
	const text = typeof value === "string" ? JSON.stringify(value) : JSON.stringify(value, null, 1);
	return text.length > LONG ? `${text.slice(0, LONG)}… (${text.length} characters)` : text;
}

// Makes the children only when the entry is expanded, so that a huge object costs nothing.
function branch(value, path, changed, open) {
	const entries = Object.entries(value);
	return element(
		"ul",
		{},
		...entries.map(([name, child]) => {
			const childPath = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
			const title = Array.isArray(value) ? `[${name}]` : name;
			return child !== null && typeof child === "object" && Object.keys(child).length > 0
				? inner(title, child, childPath, changed, open)
				: leaf(title, child, childPath, changed);
		})
	);
}

function inner(title, value, path, changed, open) {
	const size = Object.keys(value).length;
	const touched = [...changed].some((it) => it === path || it.startsWith(`${path}/`));
	const details = element(
		"details",
		{ "data-path": path },
		element(
			"summary",
			{},
			element("span", { class: "rc-tree-name" }, title),
			element("span", { class: "rc-muted" }, ` ${size} ${Array.isArray(value) ? "item" : "field"}${size === 1 ? "" : "s"}`),
			touched ? element("span", { class: "rc-tree-touched" }, "changed") : null
		)
	);
	const build = () => {
		if (details.open && details.children.length === 1) {
			details.append(branch(value, path, changed, open));
		}
	};
	details.addEventListener("toggle", build);
	details.open = open.get(path) ?? (touched || (size <= OPEN && !Array.isArray(value)));
	build();
	return element("li", {}, details);
}

function leaf(title, value, path, changed) {
	const text = JSON.stringify(value) ?? "null";
	const code = element(
		"code",
		{ "data-type": value === null ? "null" : typeof value },
		text.length > LONG ? `${text.slice(0, LONG)}…` : text
	);
	const item = element(
		"li",
		{ class: changed.has(path) ? "rc-tree-leaf rc-tree-changed" : "rc-tree-leaf" },
		element("span", { class: "rc-tree-name" }, title),
		" ",
		code
	);
	if (text.length > LONG) {
		item.append(
			" ",
			element(
				"button",
				{
					type: "button",
					class: "rc-link",
					onclick: (event) => {
						setText(code, text);
						event.target.remove();
					}
				},
				`all ${text.length} characters`
			)
		);
	}
	return item;
}
