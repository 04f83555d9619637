package dev.reflector.model;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.model.Call.Kind;

/**
 * The ranges of versions in which one loop, in one run of the reflector, claims to have
 * followed every change: from the version of a watch to the version of the next request,
 * if no full state came between them.
 */
final class Coverage {

	private final List<Range> ranges = new ArrayList<>();

	private String known = "";

	/** Records a request. */
	void asks(Call call) {
		if (!this.known.isEmpty() && Versions.isAfter(call.version, this.known)) {
			this.ranges.add(new Range(this.known, call.version));
		}
		boolean versioned = !call.version.isEmpty() && !call.version.equals("0");
		this.known = (call.kind == Kind.WATCH && versioned) ? call.version : "";
	}

	/** Records a streamed full state, after which the same stream continues. */
	void streamed(String version) {
		this.known = version;
	}

	/** Whether the change of this version must have been delivered. */
	boolean includes(String version) {
		return this.ranges.stream().anyMatch((range) -> range.includes(version));
	}

	/**
	 * The versions after one version, up to and including another one.
	 */
	private record Range(String from, String to) {

		boolean includes(String version) {
			return Versions.isAfter(version, this.from) && !Versions.isAfter(version, this.to);
		}

	}

}
