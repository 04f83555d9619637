// The address of the page, after the #, says what the page shows, so that links and the back
// button of the browser work:
// #/                       all reflectors
// #/pods?search=api&object=default/api-1

const kept = ["search", "namespace", "label", "sort", "order", "window", "object"];

export function linkTo({ reflector, ...query }) {
	if (!reflector) {
		return "#/";
	}
	const parameters = new URLSearchParams(kept.filter((name) => query[name]).map((name) => [name, query[name]]));
	const text = parameters.toString();
	return `#/${encodeURIComponent(reflector)}${text ? `?${text}` : ""}`;
}

export function readAddress() {
	const [path, text = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
	const parameters = new URLSearchParams(text);
	let reflector;
	try {
		reflector = decodeURIComponent(path);
	} catch {
		reflector = path;
	}
	return { reflector, ...Object.fromEntries(kept.map((name) => [name, parameters.get(name) ?? ""])) };
}

// keep: whether the back button returns to the former address
export function writeAddress(state, keep) {
	const link = linkTo(state);
	if (link !== location.hash) {
		history[keep ? "pushState" : "replaceState"](null, "", link);
	}
}
