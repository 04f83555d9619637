// The orders that can be given to a reflector, where the application allows them.

import { SessionExpired } from "./api.js";
import { element, reconcile, setText } from "./dom.js";
import { operationWords } from "./words.js";

export class Operations {

	#api;

	#name;

	#onexpired;

	constructor(api, name, onexpired) {
		this.#api = api;
		this.#name = name;
		this.#onexpired = onexpired;
		this.buttons = element("div", { class: "rc-operation-buttons", role: "group", "aria-label": `Orders to ${name}` });
		this.message = element("p", { class: "rc-operation-message", role: "status", "data-testid": "operation-message" });
		this.dialog = element("dialog", { class: "rc-dialog", "aria-labelledby": "rc-dialog-title" });
		this.element = element("div", { class: "rc-operations", hidden: true }, this.buttons, this.message, this.dialog);
	}

	update(names, allowed) {
		this.element.hidden = !allowed;
		reconcile(this.buttons, allowed ? names : [], (name) => name, (name) => {
			const words = operationWords(name);
			return element("button", { type: "button", class: "rc-button", title: words.text, "data-testid": `operation-${name}`,
				onclick: () => words.confirm ? this.#ask(name, words) : this.#give(name, words) }, words.title);
		});
	}

	#ask(name, words) {
		const close = () => this.dialog.close();
		this.dialog.replaceChildren(
			element("h3", { id: "rc-dialog-title" }, `${words.title} ${this.#name}?`), element("p", {}, words.text),
			element("div", { class: "rc-dialog-buttons" },
				element("button", { type: "button", class: "rc-button", onclick: close }, "Cancel"),
				element("button", { type: "button", class: "rc-button rc-button-primary", "data-testid": "operation-confirm", onclick: () => {
					close();
					this.#give(name, words);
				} }, words.title)));
		this.dialog.showModal();
	}

	async #give(name, words) {
		this.#tell(`${words.title}…`, "busy");
		try {
			const answer = await this.#api.operation(this.#name, name);
			this.#tell(answer?.message ?? `${words.title}: done.`, "good");
		}
		catch (failure) {
			if (failure instanceof SessionExpired) {
				this.#onexpired();
			}
			this.#tell(`${words.title} did not work: ${failure.message}`, "bad");
		}
	}

	#tell(text, level) {
		setText(this.message, text);
		this.message.dataset.level = level;
	}

}
