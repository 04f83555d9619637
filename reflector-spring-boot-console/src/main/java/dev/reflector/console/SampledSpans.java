package dev.reflector.console;

import java.util.EnumMap;
import java.util.Map;

import dev.reflector.console.Timeline.SpanKind;
import org.jspecify.annotations.Nullable;

/**
 * Spans of which samples show whether they last. Used by one thread.
 */
final class SampledSpans {

	private final Timeline timeline;

	private final Map<SpanKind, Timeline.Entry> open = new EnumMap<>(SpanKind.class);

	SampledSpans(Timeline timeline) {
		this.timeline = timeline;
	}

	/**
	 * Says whether a span lasts.
	 * @param kind its kind
	 * @param reason why it is there, {@code null} when it is not there
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
