package dev.reflector.console;

import java.util.EnumMap;
import java.util.Map;

import dev.reflector.console.Timeline.SpanKind;
import org.jspecify.annotations.Nullable;

/**
 * Spans of a timeline whose beginning and end are noticed only when a sample is taken.
 * Used by one thread.
 */
final class SampledSpans {

	private final Timeline timeline;

	private final Map<SpanKind, Timeline.Entry> open = new EnumMap<>(SpanKind.class);

	SampledSpans(Timeline timeline) {
		this.timeline = timeline;
	}

	/**
	 * Begins, continues or ends the span of a kind. At most one span of each kind is
	 * open.
	 * @param kind kind of the span
	 * @param reason why the span exists now, or {@code null} to end it
	 */
	void set(SpanKind kind, @Nullable String reason) {
		Timeline.Entry present = this.open.get(kind);
		if (reason != null && present == null) {
			this.open.put(kind, this.timeline.begin(kind, null, reason));
		}
		else if (reason == null && present != null) {
			this.open.remove(kind);
			this.timeline.end(present, "");
		}
	}

}
