// The search and the filters above the table.

import { element, number, setText } from "./dom.js";

const PAUSE = 250;

export class Filters {
	#onchange;

	#timer = null;

	#known = "";

	#typed = {};

	constructor(query, onchange) {
		this.#onchange = onchange;
		const typed = (name) => (event) => {
			this.#typed[name] = event.target.value.trim();
			clearTimeout(this.#timer);
			this.#timer = setTimeout(() => this.#flush(), PAUSE);
		};
		this.search = element("input", {
			type: "search",
			id: "rc-search",
			"data-testid": "search",
			placeholder: "part of a name",
			autocomplete: "off",
			spellcheck: "false",
			"aria-keyshortcuts": "/",
			oninput: typed("search")
		});
		this.namespace = element(
			"select",
			{
				id: "rc-namespace",
				"data-testid": "namespace",
				onchange: () => this.#onchange({ namespace: this.namespace.value })
			},
			element("option", { value: "" }, "all")
		);
		this.label = element("input", {
			type: "text",
			id: "rc-label",
			"data-testid": "label",
			placeholder: "app=web,tier!=cache",
			autocomplete: "off",
			spellcheck: "false",
			"aria-describedby": "rc-label-error",
			oninput: typed("label")
		});
		this.error = element("p", { id: "rc-label-error", class: "rc-field-error", "data-testid": "label-error", role: "alert" });
		const field = (title, id, ...content) =>
			element("div", { class: "rc-field" }, element("label", { for: id }, title), ...content);
		this.element = element(
			"div",
			{ class: "rc-filters", role: "search", "aria-label": "Objects" },
			field(
				"Search",
				"rc-search",
				element("span", { class: "rc-with-key" }, this.search, element("kbd", { "aria-hidden": "true" }, "/"))
			),
			field("Namespace", "rc-namespace", this.namespace),
			field("Labels", "rc-label", this.label, this.error)
		);
		this.show(query);
	}

	show(query) {
		const write = (input, value) => {
			if (document.activeElement !== input && input.value !== value) {
				input.value = value;
			}
		};
		write(this.search, query.search ?? "");
		write(this.label, query.label ?? "");
		this.#choose(query.namespace ?? "");
	}

	// Shows the namespaces with the number of their objects.
	namespaces(counts) {
		const known = counts.map(({ name, count }) => `${name} ${count}`).join();
		if (known === this.#known || document.activeElement === this.namespace) {
			return;
		}
		this.#known = known;
		const chosen = this.namespace.value;
		this.namespace.replaceChildren(
			element("option", { value: "" }, "all"),
			...counts.map(({ name, count }) => element("option", { value: name }, `${name || "(none)"} (${number(count)})`))
		);
		this.#choose(chosen);
	}

	fault(message) {
		setText(this.error, message ?? "");
		this.label.setAttribute("aria-invalid", String(message !== null));
	}

	destroy() {
		clearTimeout(this.#timer);
	}

	#flush() {
		const typed = this.#typed;
		this.#typed = {};
		this.#onchange(typed);
	}

	// An address can select a namespace without objects.
	#choose(namespace) {
		if (![...this.namespace.options].some((option) => option.value === namespace)) {
			this.namespace.append(element("option", { value: namespace }, namespace));
		}
		this.namespace.value = namespace;
	}
}
