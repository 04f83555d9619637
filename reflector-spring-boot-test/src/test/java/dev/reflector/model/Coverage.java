package dev.reflector.model;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.model.Call.Kind;

/**
 * Between which versions one loop has followed every change in one life, by its own
 * words: from where a watch begins to where the next request does, when no full state
 * came between them, it claims to know all.
 */
final class Coverage {

	private final List<Range> ranges = new ArrayList<>();

	private String known = "";

	/** Notes a request. */
	void asks(Call call) {
		if (!this.known.isEmpty() && Versions.isAfter(call.version, this.known)) {
			this.ranges.add(new Range(this.known, call.version));
		}
		boolean versioned = !call.version.isEmpty() && !call.version.equals("0");
		this.known = (call.kind == Kind.WATCH && versioned) ? call.version : "";
	}

	/** Notes that a full state is there, after which the same stream goes on. */
	void streamed(String version) {
		this.known = version;
	}

	/** Whether a change had to be told. */
	boolean includes(String version) {
		return this.ranges.stream().anyMatch((range) -> range.includes(version));
	}

	/**
	 * From one version on, without that one, to another.
	 */
	private record Range(String from, String to) {

		boolean includes(String version) {
			return Versions.isAfter(version, this.from) && !Versions.isAfter(version, this.to);
		}

	}

}
