// The only stream of the page. Opens the stream, notices its loss soon, and opens it again.

import { SessionExpired } from "./api.js";

// There is a frame at least every two seconds. If nothing has happened, it contains only
// the time. A comment in the stream would not do, because a page cannot see comments.
const SILENT = 6000;
const RETRY = 2000;

export class Stream {
	#api;

	#model;

	#source = null;

	#watchdog = null;

	#retry = null;

	#closed = false;

	#gone = new AbortController();

	constructor(api, model) {
		this.#api = api;
		this.#model = model;
		const { signal } = this.#gone;
		// a page in the back/forward cache must not keep its connection, because a browser has
		// only six for each host
		addEventListener(
			"pagehide",
			() => {
				this.#drop();
				clearTimeout(this.#retry);
			},
			{ signal }
		);
		addEventListener("pageshow", (event) => event.persisted && this.open(), { signal });
	}

	async open() {
		try {
			const answer = await this.#api.reflectors();
			this.#api.csrf = answer.csrf;
			this.#model.settings(answer);
		} catch (failure) {
			this.#failed(failure);
			return;
		}
		if (!this.#closed) {
			this.#listen();
		}
	}

	close() {
		this.#closed = true;
		this.#gone.abort();
		this.#drop();
		clearTimeout(this.#retry);
	}

	#listen() {
		this.#drop();
		const source = new EventSource(`${this.#api.base}/api/stream`);
		let first = true;
		source.addEventListener("frame", (message) => {
			const frame = JSON.parse(message.data);
			this.#watch();
			this.#model.connect("live");
			// a frame without reflectors only shows that the application answers, and
			// replaces nothing
			const complete = first && frame.reflectors !== undefined;
			this.#model.frame(frame, complete);
			first &&= !complete;
		});
		// the stream is opened again here and not by the browser, to read the settings
		// again and to notice an ended session
		source.addEventListener("error", () => this.#lost());
		this.#source = source;
		this.#watch();
	}

	#watch() {
		clearTimeout(this.#watchdog);
		this.#watchdog = setTimeout(() => this.#lost(), SILENT);
	}

	#lost() {
		this.#failed(new Error("The stream has ended."));
	}

	#failed(failure) {
		this.#drop();
		if (failure instanceof SessionExpired) {
			this.#model.connect("expired");
			return;
		}
		this.#model.connect("lost");
		clearTimeout(this.#retry);
		if (!this.#closed) {
			this.#retry = setTimeout(() => this.open(), RETRY);
		}
	}

	#drop() {
		clearTimeout(this.#watchdog);
		this.#source?.close();
		this.#source = null;
	}
}
