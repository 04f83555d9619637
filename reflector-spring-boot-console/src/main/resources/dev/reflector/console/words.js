import { duration } from "./dom.js";

// The texts of the page. Each state, span and mark has a title and a line that explains it
// to a new user.

const states = {
	WATCHING: ["Watching", "good", "The server pushes each change as it happens. The mirror is in step."],
	POLLING: [
		"Polling",
		"good",
		"The server cannot watch this type, so the reflector lists it again from time to time. The mirror is as old as the last list."
	],
	LISTING: ["Listing", "busy", "The reflector reads the full state from the server. Then it watches from the resourceVersion of that state."],
	STARTING: ["Starting", "busy", "The reflector was started, but has not sent a request yet."],
	BACKING_OFF: [
		"Backing off",
		"bad",
		"A request failed. The reflector waits, a little longer after each failure, and then tries again. The mirror keeps its objects."
	],
	AWAITING_TYPE: [
		"Awaiting type",
		"warn",
		"The server does not serve this type yet. The reflector continues when its definition (CRD) is installed."
	],
	PAUSED: ["Paused", "idle", "Paused by an operator. The mirror keeps its objects until the reflector is resumed."],
	STOPPED: ["Stopped", "idle", "The reflector was not started, or has been stopped."]
};

const spans = {
	WATCH: ["Watch", "The server pushes changes over one open request, from a resourceVersion on."],
	LIST: ["List", "The full state is read. The mirror is changed only where it differs."],
	BACKOFF: [
		"Back-off",
		"A wait before the next attempt, longer after each failure, so that a server in trouble is not overloaded."
	],
	SILENCE: ["Silence", "The watch is open, but the server sends nothing, not even a bookmark. The connection is closed and opened again."],
	STANDBY: ["Standby", "Another replica delivers. This replica keeps its mirror up to date, but delivers nothing to its listeners."],
	SLOW_LISTENER: [
		"Slow listener",
		"A call of a listener takes long. Changes wait in the queue of the listener; the watch continues."
	],
	AWAITING_TYPE: ["Awaiting type", "The server does not serve this type yet."],
	PAUSED: ["Pause", "Paused by an operator."],
	STOPPED: ["Stop", "The reflector does not run."]
};

const marks = {
	BOOKMARK: [
		"Bookmark",
		"The server sends the current resourceVersion although nothing changed, so that a new watch can begin there."
	],
	SYNCED: ["Synced", "The full state is in the mirror, and listeners have received it."],
	RELIST: ["Relist", "The full state must be read again."],
	EXPIRED: ["Expired", "The server no longer has the resourceVersion of the watch (410 Gone). Only a new list helps."],
	ERROR: ["Error", "A request failed, or the server sent invalid data."],
	RESUMED: ["Resumed", "A new watch continues at the last resourceVersion. Nothing was missed, and no list was needed."],
	THROTTLED: ["Throttled", "The server is overloaded (429) and says how long to wait. The reflector waits that long."],
	SKIPPED: ["Skipped", "An object could not be read. The mirror continues without it."],
	VERIFIED: ["Verified", "The mirror was compared with the server, object by object."]
};

const reasons = {
	EXPIRED: "because the resourceVersion had expired",
	LIST_FAILED: "because the list failed",
	WATCH_FAILED: "because the watch could not be opened",
	VERY_SHORT_WATCH: "because the watch was closed at once without an event",
	WATCH_ERROR: "because the watch delivered an error",
	REQUESTED: "on request"
};

const operations = {
	relist: ["Relist", "Read the full state from the server again. The mirror is changed only where it differs."],
	resync: ["Resync", "Deliver every object to all listeners again, from the mirror. The server is not asked."],
	pause: ["Pause", "Stop following the server. The mirror keeps its objects, and goes stale.", true],
	resume: ["Resume", "Follow the server again, and resume the delivery to stopped listeners."],
	verify: ["Verify", "Compare the mirror with the server, object by object. Nothing is changed."],
	"reset-snapshot": [
		"Reset snapshot",
		"Remove the stored snapshot of this mirror. The next start reads everything from the server.",
		true
	]
};

// Converts an unknown name, such as WAITS_FOR_IT, to words.
const plain = (name) => name.charAt(0) + name.slice(1).toLowerCase().replaceAll(/[_-]/g, " ");

// silence: milliseconds for which the server was silent, if that is too long, else 0
export function stateWords(summary, silence = 0) {
	const [title, level, text] = states[summary.state] ?? [plain(summary.state), "idle", ""];
	if (summary.state === "WATCHING" && summary.failure) {
		return {
			title,
			level: "bad",
			text: "There is a failure, although the server is watched. The mirror may be stale, or a listener may not receive changes."
		};
	}
	if (summary.state === "WATCHING" && !summary.connected) {
		return { title, level: "busy", text: "The reflector has requested a watch, but the server has not answered yet." };
	}
	if (summary.state === "WATCHING" && silence > 0) {
		return {
			title: "Silent",
			level: "warn",
			text: `Silent for ${duration(silence)}: the watch is open, but the server sends neither changes nor bookmarks. If this lasts, the watch is opened again.`
		};
	}
	return { title, level, text };
}

export const spanWords = (kind) => ({ title: spans[kind]?.[0] ?? plain(kind), text: spans[kind]?.[1] ?? "" });
export const markWords = (kind) => ({ title: marks[kind]?.[0] ?? plain(kind), text: marks[kind]?.[1] ?? "" });
// Returns the text for a reason with a known name, or the reason itself.
export const reasonWords = (reason) => (reason ? (reasons[reason.toUpperCase().replaceAll(" ", "_")] ?? reason) : "");
export const operationWords = (name) => {
	const [title, text, confirm] = operations[name] ?? [plain(name), "", true];
	return { title, text, confirm: confirm === true };
};
export const changeWords = (change) => (change ? plain(change) : "");

export const spanKinds = ["WATCH", "LIST", "BACKOFF", "SILENCE", "SLOW_LISTENER", "STANDBY", "AWAITING_TYPE", "PAUSED", "STOPPED"];
export const markKinds = ["BOOKMARK", "SYNCED", "ERROR", "EXPIRED", "THROTTLED", "RELIST", "RESUMED", "SKIPPED", "VERIFIED"];

export const facts = {
	size: ["Objects", "How many objects the mirror has."],
	lastSyncResourceVersion: ["resourceVersion", "The version of the collection up to which the mirror has followed the server."],
	queueDepth: ["Queue", "Changes that were received but not yet delivered to every listener."],
	lastEventAt: ["Last event", "When the last event of a watch came, including bookmarks."],
	lastContactAt: ["Last contact", "When the server last sent a version of the collection."],
	lists: ["Lists", "How often the full state was read since the start. Each costs the server much more than a watch."],
	watches: ["Watches", "How often a watch was requested since the start."]
};
