package dev.reflector.test.context;

import java.util.List;

import dev.reflector.Reflector;
import dev.reflector.ReflectorStatus;
import dev.reflector.ReflectorStatus.LastError;
import org.jspecify.annotations.Nullable;

/**
 * Describes the server, the reflectors and the recorded events after a wait has timed
 * out.
 *
 * @param what description of the wait and its failure
 * @param server why the embedded server does not answer, or {@code null} if it answers
 * @param reflectors the reflectors
 * @param events the events recorded
 */
record FailureReport(String what, @Nullable String server, List<Reflector<?>> reflectors,
		List<RecordedEvents.Entry> events) {

	private static final int SHOWN = 30;

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder(this.what).append('.');
		text.append((this.server != null) ? "\n" + this.server : "");
		text.append("\nReflectors:").append(this.reflectors.isEmpty() ? " none" : "");
		this.reflectors.forEach((reflector) -> describe(text.append("\n  "), reflector));
		text.append("\nEvents recorded: ").append(this.events.isEmpty() ? "none" : this.events.size());
		int first = Math.max(0, this.events.size() - SHOWN);
		if (first > 0) {
			text.append(", the last ").append(SHOWN).append(" of them");
		}
		this.events.subList(first, this.events.size()).forEach((event) -> text.append("\n  ").append(event));
		return text.toString();
	}

	private static void describe(StringBuilder text, Reflector<?> reflector) {
		ReflectorStatus status = reflector.status();
		text.append(reflector.name()).append(" (").append(reflector.resourceType()).append("): ");
		text.append(status.state()).append(status.synced() ? ", synced" : ", not synced");
		text.append(", resource version '").append(status.lastSyncResourceVersion()).append('\'');
		text.append(", ").append(status.size()).append(" objects, ").append(status.queueDepth()).append(" queued, ");
		LastError error = status.lastError();
		if (error == null) {
			text.append("no error");
		}
		else {
			text.append("last error: ").append((error.status() != 0) ? error.status() + " " : "");
			text.append(error.reason()).append(": ");
			text.append(error.message());
		}
	}

}
