// Shows how a reflector deals with a fault, from the moment at which a button was pressed.

// Number of steps that are shown: the first and the last steps.
const FIRST = 2;
const LAST = 4;

// Events after this time do not belong to the story.
const SETTLED = 2500;

const troubles = ["BACKOFF", "SILENCE", "ERROR", "EXPIRED", "THROTTLED", "RELIST", "LIST"];

export class Story {
	#reflectors;

	#name;

	#parts;

	#fault = null;

	#since = 0;

	#active = [];

	#busy = false;

	#late = false;

	#healedAt = null;

	#shown = new Map();

	// parts: title, steps, verdict and box, elements of the page
	constructor(reflectors, name, parts) {
		this.#reflectors = reflectors;
		this.#name = name;
		this.#parts = parts;
		reflectors.model.subscribe(() => this.#update());
	}

	begin(fault) {
		this.#fault = fault;
		this.#since = this.#reflectors.model.now();
		this.#busy = false;
		this.#late = false;
		this.#healedAt = null;
		this.#shown.clear();
		this.#parts.steps.replaceChildren();
		this.#parts.title.textContent = fault.title;
		this.#outcome("watching", fault.what);
	}

	failed(message) {
		this.#outcome("failed", message);
		this.#fault = null;
	}

	active(ids) {
		this.#active = ids;
		this.#update();
	}

	#outcome(outcome, text) {
		this.#parts.box.dataset.outcome = outcome;
		if (this.#parts.verdict.textContent !== text) {
			this.#parts.verdict.textContent = text;
		}
	}

	#update() {
		const mirror = this.#reflectors.model.mirrors.get(this.#name);
		if (!this.#fault || !mirror) {
			return;
		}
		const all = this.#reflectors.happened(this.#name, this.#since);
		const left = all.length > FIRST + LAST + 1 ? all.length - FIRST - LAST : 0;
		this.#showSteps(left > 0 ? all.slice(0, FIRST) : all, left, left > 0 ? all.slice(-LAST) : []);
		const { summary } = mirror;
		const waiting = summary.queueDepth > 0 || Boolean(summary.busyListener);
		this.#busy ||=
			this.#fault.id === "slow-listener" && (waiting || all.some((step) => step.kind === "SLOW_LISTENER"));
		const on = this.#active.includes(this.#fault.id);
		this.#late ||= this.#fault.id === "slow-link" && on;
		const troubled = this.#busy || this.#late || all.some((step) => troubles.includes(step.kind));
		const well = summary.state === "WATCHING" && summary.connected && !(this.#busy && waiting);
		const watch = all.findLast((step) => step.kind === "WATCH");
		if (this.#fault.id === "slow-listener" && this.#busy && !well) {
			this.#outcome(
				"watching",
				`The listener is slow: ${summary.queueDepth} changes wait for it. The watch continues, and the mirror stays in step.`
			);
		} else if (this.#late && on) {
			this.#outcome("watching", "The link is slow: changes arrive late and in order, and the mirror is behind the server until then.");
		} else if (!troubled || !well || on) {
			this.#healedAt = null;
			this.#outcome("watching", troubled ? "Healing…" : this.#fault.what);
		} else {
			this.#healed(all, watch);
		}
	}

	#healed(all, watch) {
		this.#healedAt ??= Date.now();
		if (Date.now() - this.#healedAt > SETTLED) {
			this.#fault = null;
		}
		if (this.#busy) {
			this.#outcome(
				"healed",
				"Healed: the listener has caught up. It knows the newest state of every object, and the mirror was never behind."
			);
		} else if (this.#late) {
			this.#outcome("healed", "Healed: the link is fast again. The next watch began at the last resourceVersion, and brought what was still missing.");
		} else {
			const long = watch ? Math.max(0, watch.at - this.#since) / 1000 : 0;
			const how = all.some((step) => step.kind === "LIST")
				? "The version to continue from was gone, so it listed again and changed only what differed."
				: "It continued at the last resourceVersion: nothing was missed, and no list was needed.";
			this.#outcome("healed", `Healed after ${long < 10 ? long.toFixed(1) : Math.round(long)} s. ${how}`);
		}
	}

	// Steps keep their place; only their words change.
	#showSteps(first, left, last) {
		const items = [
			...first.map((step) => this.#step(step)),
			...(left > 0 ? [this.#more(left)] : []),
			...last.map((step) => this.#step(step))
		];
		const { steps } = this.#parts;
		if (items.length !== steps.children.length || items.some((item, index) => steps.children[index] !== item)) {
			steps.replaceChildren(...items);
		}
	}

	#step(step) {
		const { key } = step;
		let item = this.#shown.get(key);
		if (!item) {
			item = document.createElement("li");
			item.dataset.testid = "story-step";
			item.dataset.kind = step.kind;
			const title = document.createElement("strong");
			title.append(step.sign, "");
			const after = document.createElement("span");
			after.className = "sample-after";
			after.textContent = `+${(Math.max(0, step.at - this.#since) / 1000).toFixed(1)} s`;
			const text = document.createElement("span");
			text.className = "rc-muted";
			item.append(after, title, text);
			this.#shown.set(key, item);
		}
		if (item.children[1].lastChild.data !== step.title) {
			item.children[1].lastChild.data = step.title;
		}
		if (item.lastChild.textContent !== step.text) {
			item.lastChild.textContent = step.text;
			item.lastChild.title = step.text;
		}
		return item;
	}

	#more(left) {
		let item = this.#shown.get("more");
		if (!item) {
			item = document.createElement("li");
			item.className = "sample-more";
			this.#shown.set("more", item);
		}
		item.textContent = `${left} more`;
		return item;
	}
}
