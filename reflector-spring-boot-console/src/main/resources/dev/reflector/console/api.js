// Requests to the backend of the console.

export class SessionExpired extends Error {}

export class Refused extends Error {
	constructor(status, detail) {
		super(detail);
		this.status = status;
	}
}

export class Api {
	// base: path of the console without a slash at the end
	constructor(base) {
		this.base = base;
		this.csrf = null;
	}

	reflectors() {
		return this.#json("GET", "/api/reflectors");
	}

	objects(name, query, signal) {
		const parameters = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
		return this.#json("GET", `${this.#of(name)}/objects?${new URLSearchParams(parameters)}`, signal);
	}

	object(name, namespace, objectName, signal) {
		const parameters = new URLSearchParams({ namespace: namespace ?? "", name: objectName });
		return this.#json("GET", `${this.#of(name)}/object?${parameters}`, signal);
	}

	timeline(name) {
		return this.#json("GET", `${this.#of(name)}/timeline`);
	}

	series(name) {
		return this.#json("GET", `${this.#of(name)}/series`);
	}

	operation(name, operation) {
		return this.#json("POST", `${this.#of(name)}/${encodeURIComponent(operation)}`);
	}

	#of(name) {
		return `/api/reflectors/${encodeURIComponent(name)}`;
	}

	async #json(method, path, signal) {
		const headers = { accept: "application/json" };
		// a form or a script of another site cannot send this header
		if (method === "POST") {
			headers["X-Reflector-Console"] = "1";
		}
		if (method !== "GET" && this.csrf) {
			headers[this.csrf.header] = this.csrf.token;
		}
		const response = await fetch(this.base + path, { method, headers, signal, credentials: "same-origin" });
		const json = /json/.test(response.headers.get("content-type") ?? "");
		// an HTML page instead of JSON is the sign-in page
		if (response.status === 401 || (response.status === 403 && method === "GET") || (response.ok && !json)) {
			throw new SessionExpired("The session has ended.");
		}
		const body = json ? await response.json() : null;
		if (!response.ok) {
			throw new Refused(response.status, body?.detail ?? body?.message ?? `The application answered ${response.status}.`);
		}
		return body;
	}
}
