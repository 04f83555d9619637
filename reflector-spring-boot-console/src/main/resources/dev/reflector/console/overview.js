// Shows all reflectors in one list: state, the last 15 minutes, size, rate and failures.

import { newBadge, updateBadge } from "./badge.js";
import { Band } from "./band.js";
import { ago, decimal, element, number, reconcile, setAttribute, setText } from "./dom.js";
import { linkTo } from "./address.js";
import { stateWords } from "./words.js";

const SHOWN = 15 * 60 * 1000;

const ill = ({ summary, silence }) => ["bad", "warn"].includes(stateWords(summary, silence).level);

export class Overview {
	#model;

	#rows = new Map();

	constructor(model) {
		this.#model = model;
		this.counts = element("p", { class: "rc-summary-line", "data-testid": "summary-line" });
		this.trouble = element("p", { class: "rc-trouble" });
		this.edge = element("span");
		this.list = element("ul", { class: "rc-list" });
		this.none = element(
			"div",
			{ class: "rc-panel rc-none", hidden: true },
			element("h3", {}, "No reflectors yet"),
			element(
				"p",
				{},
				"Annotate a record with @ReflectedResource, or name a type in the configuration. Each collection that is mirrored then has a row here."
			)
		);
		this.element = element(
			"section",
			{ class: "rc-overview", "aria-labelledby": "rc-overview-title" },
			element(
				"div",
				{ class: "rc-overview-head" },
				element("h2", { id: "rc-overview-title", tabindex: -1 }, "Reflectors"),
				this.counts
			),
			this.trouble,
			element(
				"div",
				{ class: "rc-list-head rc-muted", "aria-hidden": "true" },
				element("span", {}, "State"),
				element("span", {}, "Reflector"),
				element("span", { class: "rc-list-head-life" }, element("span", {}, "15 minutes before"), this.edge),
				element("span", {}, "Objects"),
				element("span", {}, "Events/s"),
				element("span", {}, "Last contact")
			),
			this.list,
			this.none
		);
	}

	start() {
		this.tick();
	}

	destroy() {
		this.#rows.forEach(({ band }) => band.observer.disconnect());
	}

	focus() {
		this.element.querySelector("h2").focus({ preventScroll: true });
	}

	change() {
		this.tick();
	}

	tick() {
		const model = this.#model;
		const mirrors = model.names().map((name) => model.mirrors.get(name));
		this.none.hidden = !model.loaded || mirrors.length > 0;
		const now = model.now();
		const known = mirrors.map((mirror) => ({ summary: mirror.summary, silence: model.gone() ? 0 : mirror.silence(now) }));
		this.#summary(known);
		reconcile(
			this.list,
			mirrors,
			({ summary }) => summary.name,
			({ summary }) => this.#newRow(summary.name),
			(node, mirror) => this.#update(mirror)
		);
		for (const name of this.#rows.keys()) {
			if (!model.mirrors.has(name)) {
				this.#rows.get(name).band.observer.disconnect();
				this.#rows.delete(name);
			}
		}
	}

	#summary(mirrors) {
		const counts = new Map();
		mirrors.forEach(({ summary, silence }) => {
			const { title } = stateWords(summary, silence);
			counts.set(title, (counts.get(title) ?? 0) + 1);
		});
		const words = [...counts].map(([title, count]) => `${count} ${title.toLowerCase()}`).join(" · ");
		const gone = this.#model.gone();
		setText(this.counts, !this.#model.loaded ? "reading…" : gone ? `when last known: ${words}` : words);
		setText(this.edge, gone ? "last known" : "now");
		const sick = mirrors.filter(ill).map((it) => it.summary);
		reconcile(
			this.trouble,
			sick.length > 0 ? ["Needs a look:", ...sick.map((it) => it.name)] : [],
			(it) => it,
			(it) =>
				sick.some(({ name }) => name === it)
					? element("a", { href: linkTo({ reflector: it }) }, it)
					: element("span", {}, it)
		);
		this.trouble.hidden = sick.length === 0;
	}

	#newRow(name) {
		const figure = (id, title) => {
			const value = element("span", { class: "rc-figure-value" });
			return [
				value,
				element(
					"span",
					{ class: `rc-figure rc-figure-${id}` },
					value,
					element("span", { class: "rc-figure-title" }, title)
				)
			];
		};
		const [size, sizeBox] = figure("size", "objects");
		const [rate, rateBox] = figure("rate", "events/s");
		const [contact, contactBox] = figure("contact", "contact");
		const badge = newBadge();
		const resource = element("span", { class: "rc-resource rc-muted" });
		const failure = element("p", { class: "rc-failure" });
		const band = new Band({ small: true, onresize: () => this.#draw(name) });
		const node = element(
			"li",
			{ class: "rc-item", "data-testid": "reflector", "data-name": name },
			badge,
			element(
				"div",
				{ class: "rc-name" },
				element("a", { href: linkTo({ reflector: name }), title: name }, name),
				resource
			),
			element("div", { class: "rc-item-life" }, band.element, failure),
			sizeBox,
			rateBox,
			contactBox
		);
		this.#rows.set(name, { badge, resource, failure, band, size, rate, contact });
		return node;
	}

	#update(mirror) {
		const { summary, sample } = mirror;
		const row = this.#rows.get(summary.name);
		const now = this.#model.now();
		updateBadge(row.badge, summary, this.#model.gone() ? 0 : mirror.silence(now));
		const namespaces = summary.namespaces ?? [];
		const where =
			namespaces.length > 1 ? ` in ${namespaces.length} namespaces` : namespaces.map((it) => ` in ${it}`).join("");
		setText(row.resource, summary.resource + where);
		setText(row.size, number(summary.size));
		setText(row.rate, sample ? decimal(sample.eventRate) : "–");
		setText(row.contact, ago(summary.lastContactAt, now));
		setText(row.failure, summary.failure ?? "");
		setAttribute(row.failure, "title", summary.failure);
		this.#draw(summary.name);
	}

	#draw(name) {
		const mirror = this.#model.mirrors.get(name);
		const row = this.#rows.get(name);
		if (mirror && row) {
			const now = this.#model.now();
			row.band.draw(mirror, now - SHOWN, now);
			setAttribute(row.band.svg, "aria-label", `The last 15 minutes of ${name}: ${lifeInWords(mirror)}`);
		}
	}
}

function lifeInWords(mirror) {
	const count = (kinds) => [...mirror.spans.values()].filter((span) => kinds.includes(span.kind)).length;
	const words = [
		["watch", "watches", ["WATCH"]],
		["list", "lists", ["LIST"]],
		["back-off", "back-offs", ["BACKOFF"]],
		["silence", "silences", ["SILENCE"]]
	]
		.map(([one, many, kinds]) => [count(kinds), one, many])
		.filter(([many]) => many > 0)
		.map(([number, one, many]) => `${number} ${number === 1 ? one : many}`);
	return words.join(", ") || "nothing is known yet";
}
