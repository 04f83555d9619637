// The data of the page about all reflectors. The frames of one stream keep it up to date.

const KEPT = 16 * 60 * 1000;

// Shortest back-off that is shown, in milliseconds. The first attempt after a failure may
// come at once, which is no back-off.
const SHORTEST = 10;

// Smallest bookmark interval, in milliseconds. A server that sends bookmarks faster is not
// silent after two missing bookmarks.
const LEAST_INTERVAL = 1000;

function medianGap(times) {
	const sorted = times.sort((one, other) => one - other);
	const gaps = sorted
		.slice(1)
		.map((at, index) => at - sorted[index])
		.slice(-5)
		.sort((one, other) => one - other);
	return gaps.length > 1 ? Math.max(gaps[Math.floor(gaps.length / 2)], LEAST_INTERVAL) : 0;
}

class Mirror {
	constructor(summary) {
		this.summary = summary;
		this.spans = new Map();
		this.marks = new Map();
		this.sample = null;
		this.revision = 0;
		// time between two bookmarks, in milliseconds; 0 while it is not known
		this.interval = 0;
	}

	// Adds or replaces spans, and adds marks. A span comes again when it has ended. After
	// a restart of the application, the numbers of spans begin again, so the key of a
	// span also contains its time.
	merge({ spans = [], marks = [] }) {
		for (const span of spans) {
			const key = `s${span.id} ${span.kind} ${span.start}`;
			if (span.kind === "BACKOFF" && span.end !== null && span.end - span.start < SHORTEST) {
				this.spans.delete(key);
			} else {
				this.spans.set(key, { ...span, key });
			}
		}
		for (const mark of marks) {
			const key = `m${mark.id} ${mark.kind} ${mark.at}`;
			this.marks.set(key, { ...mark, key });
		}
		if (marks.some(({ kind }) => kind === "BOOKMARK")) {
			this.interval = this.#bookmarkInterval();
		}
	}

	// Returns how long a watched server has been silent, if that is longer than two of its
	// bookmark intervals; else 0.
	silence(now) {
		const { state, connected, lastContactAt } = this.summary;
		const interval = this.interval;
		if (state !== "WATCHING" || !connected || !lastContactAt || !interval) {
			return 0;
		}
		const silent = now - lastContactAt;
		return silent > 2 * interval ? silent : 0;
	}

	// Returns the median time between the last bookmarks of a watch. If each namespace has a
	// watch, returns the longest of these times. A watch counts only after three bookmarks.
	#bookmarkInterval() {
		const times = new Map();
		for (const { kind, scope, at } of this.marks.values()) {
			if (kind === "BOOKMARK") {
				times.set(scope, [...(times.get(scope) ?? []), at]);
			}
		}
		return Math.max(...[...times.values()].map(medianGap));
	}

	forgetBefore(time) {
		for (const [key, span] of this.spans) {
			if (span.end !== null && span.end < time) {
				this.spans.delete(key);
			}
		}
		for (const [key, mark] of this.marks) {
			if (mark.at < time) {
				this.marks.delete(key);
			}
		}
	}
}

export class Model {
	#listeners = new Set();

	#offset = 0;

	constructor() {
		this.mirrors = new Map();
		this.application = "";
		this.writeOperations = false;
		this.loaded = false;
		// the state is connecting, live, lost or expired
		this.connection = { state: "connecting", since: Date.now() };
	}

	// Calls the listener with { kind: "connection" | "settings" | "frame", frame, complete }.
	subscribe(listener) {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	// Returns the time of the application, whose clock may differ from the clock of the
	// browser. While the application does not answer, the returned time stands still,
	// because the page does not know what happens then.
	now() {
		return (this.gone() ? this.connection.since : Date.now()) + this.#offset;
	}

	gone() {
		return ["lost", "expired"].includes(this.connection.state);
	}

	names() {
		return [...this.mirrors.keys()].sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
	}

	connect(state) {
		if (this.connection.state !== state) {
			this.connection = { state, since: Date.now() };
			this.#notify({ kind: "connection" });
		}
	}

	settings(answer) {
		this.application = answer.application ?? "";
		this.writeOperations = answer.writeOperations === true;
		this.#offset = answer.now - Date.now();
		this.#keepOnly(answer.reflectors);
		this.#summaries(answer.reflectors);
		this.loaded = true;
		this.#notify({ kind: "settings" });
	}

	// complete: whether this is the first frame of a connection, which replaces all data
	frame(frame, complete) {
		this.#offset = frame.now - Date.now();
		if (complete) {
			this.#keepOnly(frame.reflectors ?? []);
			for (const mirror of this.mirrors.values()) {
				mirror.spans.clear();
				mirror.marks.clear();
			}
		}
		this.#summaries(frame.reflectors ?? []);
		(frame.removed ?? []).forEach((name) => this.mirrors.delete(name));
		this.#each(frame.timeline, (mirror, timeline) => mirror.merge(timeline));
		this.#each(frame.samples, (mirror, sample) => (mirror.sample = sample));
		this.#each(frame.changes, (mirror, changes) => (mirror.revision = changes.revision));
		this.mirrors.forEach((mirror) => mirror.forgetBefore(frame.now - KEPT));
		this.loaded = true;
		this.#notify({ kind: "frame", frame, complete });
	}

	#keepOnly(summaries) {
		const names = new Set(summaries.map((summary) => summary.name));
		for (const name of this.mirrors.keys()) {
			if (!names.has(name)) {
				this.mirrors.delete(name);
			}
		}
	}

	#summaries(summaries) {
		for (const summary of summaries) {
			const mirror = this.mirrors.get(summary.name);
			if (mirror) {
				mirror.summary = summary;
			} else {
				this.mirrors.set(summary.name, new Mirror(summary));
			}
		}
	}

	#each(parts, action) {
		for (const [name, part] of Object.entries(parts ?? {})) {
			const mirror = this.mirrors.get(name);
			if (mirror) {
				action(mirror, part);
			}
		}
	}

	#notify(change) {
		this.#listeners.forEach((listener) => listener(change));
	}
}
