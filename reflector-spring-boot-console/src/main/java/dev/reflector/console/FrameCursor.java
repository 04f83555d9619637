package dev.reflector.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.ReflectorStatus;
import org.jspecify.annotations.Nullable;

/**
 * The position of one reader in the stream. Makes the next frame from the data that the
 * reader does not have yet. The first frame contains everything. A slow reader receives
 * fewer frames, each with the newest state. Used by one thread at a time.
 */
final class FrameCursor {

	/**
	 * Longest time without a frame. A page considers a stream lost if it receives no
	 * frame for longer.
	 */
	private static final long SILENT_AT_MOST = Duration.ofSeconds(2).toNanos();

	private final Console console;

	private final Map<String, Summary> summaries = new HashMap<>();

	private final Map<String, Long> timelines = new HashMap<>();

	private final Map<String, Long> samples = new HashMap<>();

	private @Nullable Long sentAt;

	FrameCursor(Console console) {
		this.console = console;
	}

	/**
	 * Makes the next frame. If nothing has happened since the last frame, there is no
	 * frame. But once the last frame is {@link #SILENT_AT_MOST} old, an empty frame is
	 * made, which shows the reader that the stream still works.
	 * @return the frame, or {@code null} if there is none
	 */
	@Nullable StreamFrame next() {
		List<Summary> changed = new ArrayList<>();
		Map<String, Changes> changes = new LinkedHashMap<>();
		for (Summary summary : this.console.recentSummaries()) {
			Summary before = this.summaries.put(summary.name(), summary);
			if (!summary.equals(before)) {
				changed.add(summary);
				if (before == null || summary.revision() != before.revision()) {
					changes.put(summary.name(), Changes.between(before, summary));
				}
			}
		}
		Map<String, Timeline.Excerpt> timeline = new LinkedHashMap<>();
		Map<String, Series.Sample> samples = new LinkedHashMap<>();
		this.console.reflectors().forEach((name, reflector) -> {
			Timeline.Excerpt excerpt = reflector.journal().timeline().since(this.timelines.getOrDefault(name, 0L));
			this.timelines.put(name, excerpt.number());
			if (!excerpt.isEmpty()) {
				timeline.put(name, excerpt);
			}
			Series.Sample sample = reflector.journal().series().last();
			if (sample != null && !Long.valueOf(sample.time()).equals(this.samples.put(name, sample.time()))) {
				samples.put(name, sample);
			}
		});
		long now = System.nanoTime();
		boolean empty = changed.isEmpty() && timeline.isEmpty() && samples.isEmpty();
		if (empty && this.sentAt != null && now - this.sentAt < SILENT_AT_MOST) {
			return null;
		}
		this.sentAt = now;
		return new StreamFrame(System.currentTimeMillis(), changed, changes, timeline, samples);
	}

	/**
	 * A frame, as it is sent to the web page.
	 *
	 * @param now the time of the application, in milliseconds
	 * @param reflectors the reflectors whose summaries have changed
	 * @param changes how many objects have changed since the last frame, by reflector
	 * @param timeline the new parts of the timelines, by reflector
	 * @param samples new samples, by reflector
	 */
	record StreamFrame(long now, List<Summary> reflectors, Map<String, Changes> changes,
			Map<String, Timeline.Excerpt> timeline, Map<String, Series.Sample> samples) {

	}

	/** Numbers of objects that have changed. */
	record Changes(long added, long updated, long deleted, long revision) {

		private static Changes between(@Nullable Summary before, Summary after) {
			ReflectorStatus.Counts now = after.counts();
			if (before == null) {
				return new Changes(0, 0, 0, after.revision());
			}
			ReflectorStatus.Counts then = before.counts();
			return new Changes(now.added() - then.added(), now.updated() - then.updated(),
					now.deleted() - then.deleted(), after.revision());
		}

	}

}
