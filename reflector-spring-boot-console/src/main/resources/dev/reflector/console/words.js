import { duration } from "./dom.js";

// The words of the page. Each state, span and mark has a title and one line that explains it to a newcomer.

const states = {
	WATCHING: ["Watching", "good", "The server pushes each change as it happens. The mirror is in step."],
	POLLING: [
		"Polling",
		"good",
		"The server cannot watch this type, so it is listed again now and then. The mirror is as old as the last list."
	],
	LISTING: ["Listing", "busy", "Reads the full state from the server, and then watches from its resourceVersion."],
	STARTING: ["Starting", "busy", "Has been started, and has not asked the server yet."],
	BACKING_OFF: [
		"Backing off",
		"bad",
		"Something failed. Waits a little longer after each failure, then tries again; the mirror keeps what it has."
	],
	AWAITING_TYPE: [
		"Awaiting type",
		"warn",
		"The server does not serve this type yet. Continues once its definition (CRD) is installed."
	],
	PAUSED: ["Paused", "idle", "Held by an operator. The mirror keeps what it has until it is resumed."],
	STOPPED: ["Stopped", "idle", "Not started, or stopped for good."]
};

const spans = {
	WATCH: ["Watch", "Changes are pushed by the server over one open request, from a resourceVersion on."],
	LIST: ["List", "The full state is read. The mirror is changed only where it differs."],
	BACKOFF: [
		"Back-off",
		"A wait before the next attempt, longer after each failure, so that a server in trouble is left alone."
	],
	SILENCE: ["Silence", "The watch is open, but not even a bookmark comes. The connection is closed and opened again."],
	STANDBY: ["Standby", "Another replica delivers. This one keeps its mirror warm and delivers nothing to its listeners."],
	SLOW_LISTENER: [
		"Slow listener",
		"A listener of the application takes long. Changes wait for it in a queue; the watch continues."
	],
	AWAITING_TYPE: ["Awaiting type", "The server does not serve this type yet."],
	PAUSED: ["Pause", "Held by an operator."],
	STOPPED: ["Stop", "The reflector does not run."]
};

const marks = {
	BOOKMARK: [
		"Bookmark",
		"The server says how far the collection is although nothing changed, so that a new watch can begin there."
	],
	SYNCED: ["Synced", "The full state is in the mirror, and listeners have received it."],
	RELIST: ["Relist", "The full state has to be read again."],
	EXPIRED: ["Expired", "The server has forgotten the resourceVersion that the watch was at (410 Gone). Only a new list helps."],
	ERROR: ["Error", "A request failed, or the server sent something that is no event."],
	RESUMED: ["Resumed", "A new watch continues at the last resourceVersion. Nothing was missed, and no list was needed."],
	THROTTLED: ["Throttled", "The server has too much to do (429) and says how long to wait. The reflector does so."],
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
	pause: ["Pause", "Stop following the server. The mirror keeps what it has, and goes stale.", true],
	resume: ["Resume", "Follow the server again, and give stopped listeners another chance."],
	verify: ["Verify", "Compare the mirror with the server, object by object. Nothing is changed."],
	"reset-snapshot": [
		"Reset snapshot",
		"Remove what is stored of this mirror. The next start reads everything from the server.",
		true
	]
};

// WAITS_FOR_IT: a name that the page does not know, as words
const plain = (name) => name.charAt(0) + name.slice(1).toLowerCase().replaceAll(/[_-]/g, " ");

// silence: milliseconds for which the server was silent, if that is too long, else 0
export function stateWords(summary, silence = 0) {
	const [title, level, text] = states[summary.state] ?? [plain(summary.state), "idle", ""];
	if (summary.state === "WATCHING" && summary.failure) {
		return {
			title,
			level: "bad",
			text: "Something does not work, although the server is watched. The mirror may be old, or a listener may not receive changes."
		};
	}
	if (summary.state === "WATCHING" && !summary.connected) {
		return { title, level: "busy", text: "A watch has been asked for, and the server has not answered yet." };
	}
	if (summary.state === "WATCHING" && silence > 0) {
		return {
			title: "Silent",
			level: "warn",
			text: `Silent for ${duration(silence)}: the watch is open, and neither changes nor bookmarks come. If this lasts, it is opened again.`
		};
	}
	return { title, level, text };
}

export const spanWords = (kind) => ({ title: spans[kind]?.[0] ?? plain(kind), text: spans[kind]?.[1] ?? "" });
export const markWords = (kind) => ({ title: marks[kind]?.[0] ?? plain(kind), text: marks[kind]?.[1] ?? "" });
// a reason that is known by its name, or words of the application
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
	queueDepth: ["Queue", "Changes that were received and not yet handed to every listener."],
	lastEventAt: ["Last event", "When the last event of a watch came, bookmarks included."],
	lastContactAt: ["Last contact", "When the server last said how far the collection is."],
	lists: ["Lists", "How often the full state was read since the start. Each costs the server much more than a watch."],
	watches: ["Watches", "How often a watch was requested since the start."]
};
