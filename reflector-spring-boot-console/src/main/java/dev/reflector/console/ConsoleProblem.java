package dev.reflector.console;

/**
 * Thrown when a request cannot be answered. Says why.
 */
final class ConsoleProblem extends RuntimeException {

	private final int status;

	private final String title;

	private ConsoleProblem(int status, String title, String detail) {
		super(detail, null, false, false);
		this.status = status;
		this.title = title;
	}

	static ConsoleProblem badRequest(String detail) {
		return new ConsoleProblem(400, "Bad Request", detail);
	}

	static ConsoleProblem notFound(String detail) {
		return new ConsoleProblem(404, "Not Found", detail);
	}

	static ConsoleProblem forbidden(String detail) {
		return new ConsoleProblem(403, "Forbidden", detail);
	}

	static ConsoleProblem conflict(String detail) {
		return new ConsoleProblem(409, "Conflict", detail);
	}

	static ConsoleProblem unavailable(String detail) {
		return new ConsoleProblem(503, "Service Unavailable", detail);
	}

	int status() {
		return this.status;
	}

	/** Returns the body of the answer, in the format of RFC 9457. */
	Body body() {
		return new Body("about:blank", this.title, this.status, String.valueOf(getMessage()));
	}

	record Body(String type, String title, int status, String detail) {

	}

}
