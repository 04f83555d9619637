// Shows the server beside its mirror: versions, counts and a few widgets. They differ when a
// fault begins, and are equal when the mirror has caught up.

const EVERY = 400;

const cell = (tag, text, name) => {
	const node = document.createElement(tag);
	node.textContent = text;
	if (name) {
		node.className = name;
	}
	return node;
};

export class Sides {
	#box;

	#rows;

	#verdict;

	constructor(box) {
		this.#box = box;
		this.#rows = box.querySelector("tbody");
		this.#verdict = box.querySelector("caption");
		setInterval(() => document.hidden || this.#read(), EVERY);
		this.#read();
	}

	async #read() {
		try {
			const response = await fetch("sides", { headers: { accept: "application/json" } });
			this.#box.hidden = !response.ok;
			if (response.ok) {
				this.#show(await response.json());
			}
		} catch {
			// the console shows that the application does not answer
		}
	}

	#show({ server, mirror, widgets }) {
		const same = server.version === mirror.version && server.size === mirror.size;
		this.#box.dataset.same = String(same);
		const behind = Number(server.version) - Number(mirror.version);
		this.#verdict.textContent = same
			? "The mirror is the server"
			: behind > 0
				? `The mirror is ${behind} ${behind === 1 ? "change" : "changes"} behind`
				: "The mirror and the server differ";
		this.#rows.replaceChildren(
			this.#row("version", server.version, mirror.version, same),
			this.#row("widgets", server.size, mirror.size, server.size === mirror.size),
			...widgets.map((widget) => this.#row(widget.name, widget.server, widget.mirror ?? "–", widget.server === widget.mirror))
		);
	}

	#row(name, server, mirror, same) {
		const row = document.createElement("tr");
		row.dataset.same = String(same);
		row.append(cell("th", name), cell("td", server), cell("td", mirror));
		row.firstChild.scope = "row";
		return row;
	}
}
