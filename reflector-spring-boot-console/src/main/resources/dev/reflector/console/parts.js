// Panels that only some reflectors have: listeners, a snapshot, a share, a leader.

import { ago, element, number, reconcile, setText } from "./dom.js";

const cards = [
	{ id: "listeners", title: "Listeners", text: "Each has its own queue, so that a slow one does not delay the others." },
	{
		id: "snapshot",
		title: "Snapshot",
		text: "What listeners have completed is stored, so that after a restart they receive what changed since."
	},
	{ id: "shards", title: "Share", text: "Replicas divide the collection. This is the part of this one." },
	{ id: "leader", title: "Leader", text: "One replica of several delivers." }
];

export class Parts {
	constructor() {
		this.cards = new Map(
			cards.map(({ id, title, text }) => {
				const list = element("dl", { class: "rc-part-list" });
				return [
					id,
					{
						list,
						card: element(
							"section",
							{ class: "rc-panel rc-part", hidden: true, "data-testid": `part-${id}` },
							element(
								"div",
								{ class: "rc-panel-head" },
								element("h3", {}, title),
								element("p", { class: "rc-muted" }, text)
							),
							list
						)
					}
				];
			})
		);
		this.element = element("div", { class: "rc-parts" }, ...[...this.cards.values()].map(({ card }) => card));
	}

	update(summary, now) {
		this.#show(
			"listeners",
			(summary.listeners ?? []).map((it) => [it.name, listener(it, summary.busyListener, now), it.failures > 0])
		);
		this.#show("snapshot", summary.snapshot ? rows(summary.snapshot, now) : []);
		this.#show("shards", summary.shards ? rows(summary.shards, now) : []);
		const leader = summary.leader ? rows(summary.leader, now) : [];
		this.#show(
			"leader",
			summary.standby === true ? [...leader, ["here", "standby: nothing is delivered here", false]] : leader
		);
	}

	#show(id, entries) {
		const { card, list } = this.cards.get(id);
		card.hidden = entries.length === 0;
		// several listeners may have the same name
		reconcile(
			list,
			entries.map(([name, text, ill], index) => ({ key: `${index} ${name}`, name, text, ill })),
			({ key }) => key,
			({ name }) => element("div", {}, element("dt", { title: name }, name), element("dd", {})),
			(node, { text, ill }) => {
				setText(node.lastChild, text);
				node.lastChild.title = text;
				node.classList.toggle("rc-part-ill", ill === true);
			}
		);
	}
}

function listener({ name, handled, failures }, busy, now) {
	return [
		`${number(handled)} handled`,
		failures > 0 ? `${number(failures)} ${failures === 1 ? "failure" : "failures"}` : null,
		busy?.name === name ? `busy since ${ago(busy.since, now)}` : null
	]
		.filter(Boolean)
		.join(" · ");
}

// Formats committedAt: 1764133523000 as "committed: 3 s ago", and a nested object in one line.
function rows(object, now) {
	return Object.entries(object)
		.filter(([, value]) => value !== null && value !== undefined && value !== "")
		.map(([name, value]) => {
			const words = name
				.replace(/(At|Since)$/, "")
				.replaceAll(/([A-Z])/g, " $1")
				.toLowerCase();
			const time = typeof value === "number" && /(At|[sS]ince)$/.test(name);
			return [words || name, time ? ago(value, now) : plain(value), name === "failure"];
		});
}

function plain(value) {
	if (typeof value === "number") {
		return number(value);
	}
	if (typeof value === "boolean") {
		return value ? "yes" : "no";
	}
	if (value !== null && typeof value === "object") {
		return (
			Object.entries(value)
				.map(([name, it]) => (name ? `${name} ${plain(it)}` : plain(it)))
				.join(", ") || "–"
		);
	}
	return String(value);
}
