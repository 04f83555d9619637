// The operations of a reflector, if the application allows them.

import { SessionExpired } from "./api.js";
import { element, number, reconcile, setText } from "./dom.js";
import { operationWords } from "./words.js";

export class Operations {
	#api;

	#name;

	#onexpired;

	constructor(api, name, onexpired) {
		this.#api = api;
		this.#name = name;
		this.#onexpired = onexpired;
		this.buttons = element("div", { class: "rc-operation-buttons", role: "group", "aria-label": `Operations of ${name}` });
		this.message = element("p", { class: "rc-operation-message", role: "status", "data-testid": "operation-message" });
		this.dialog = element("dialog", { class: "rc-dialog", "aria-labelledby": "rc-dialog-title" });
		this.element = element("div", { class: "rc-operations", hidden: true }, this.buttons, this.dialog);
	}

	// gone: whether the application does not answer
	update(summary, allowed, gone) {
		this.element.hidden = !allowed;
		const names = (summary.operations ?? []).filter((name) => sensible(name, summary));
		reconcile(
			this.buttons,
			allowed ? names : [],
			(name) => name,
			(name) => {
				const words = operationWords(name);
				return element(
					"button",
					{
						type: "button",
						class: "rc-button",
						title: words.text,
						"data-testid": `operation-${name}`,
						onclick: () => (words.confirm ? this.#ask(name, words) : this.#give(name, words))
					},
					words.title
				);
			},
			(button) => {
				button.disabled = gone;
			}
		);
	}

	#ask(name, words) {
		const close = () => this.dialog.close();
		this.dialog.replaceChildren(
			element("h3", { id: "rc-dialog-title" }, `${words.title} ${this.#name}?`),
			element("p", {}, words.text),
			element(
				"div",
				{ class: "rc-dialog-buttons" },
				element("button", { type: "button", class: "rc-button", onclick: close }, "Cancel"),
				element(
					"button",
					{
						type: "button",
						class: "rc-button rc-button-primary",
						"data-testid": "operation-confirm",
						onclick: () => {
							close();
							this.#give(name, words);
						}
					},
					words.title
				)
			)
		);
		this.dialog.showModal();
	}

	async #give(name, words) {
		this.#say(`${words.title}…`, "busy");
		try {
			const answer = await this.#api.operation(this.#name, name);
			this.#say(
				comparison(answer?.result) ?? sentence(answer?.message ?? "done"),
				"good"
			);
		} catch (failure) {
			if (failure instanceof SessionExpired) {
				this.#onexpired();
			}
			this.#say(`${words.title} failed: ${failure.message}`, "bad");
		}
	}

	#say(text, level) {
		setText(this.message, text);
		this.message.title = text;
		this.message.dataset.level = level;
	}
}

// Whether an operation is useful now. A reflector that follows the server needs no resume,
// unless it has a failure.
function sensible(name, { state, failure }) {
	return name === "resume"
		? state === "PAUSED" || Boolean(failure)
		: name === "pause"
			? !["PAUSED", "STOPPED"].includes(state)
			: true;
}

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;

// Returns the result of a comparison with the server as a sentence.
function comparison(result) {
	if (!result) {
		return null;
	}
	const sum = (name) => result.scopes.reduce((total, scope) => total + scope[name], 0);
	const found = [
		["missing", "missing here"],
		["surplus", "only here"],
		["different", "in another version"],
		["skipped", "not readable"]
	]
		.filter(([name]) => sum(name) > 0)
		.map(([name, words]) => `${number(sum(name))} ${words}`);
	const why = result.scopes.map((scope) => scope.message).filter(Boolean);
	return why.length > 0
		? `Not compared: ${why[0]}`
		: found.length > 0
			? `Compared ${number(sum("compared"))} objects with the server: ${found.join(", ")}.`
			: `Verified: ${number(sum("compared"))} objects match.`;
}
