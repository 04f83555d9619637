package dev.reflector.cache.informer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus.LastError;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.loop.LoopSignal;
import dev.reflector.cache.internal.loop.LoopStatus;
import dev.reflector.cache.internal.loop.ReflectorLoop;
import dev.reflector.cache.internal.queue.Checkpoint;
import org.jspecify.annotations.Nullable;

/**
 * The loops of a run, one for each namespace, and their combined state. Used by any
 * thread.
 *
 * @param <T> the type of the objects
 */
final class Loops<T> {

	private static final List<ReflectorState> BY_CONCERN = List.of(ReflectorState.BACKING_OFF,
			ReflectorState.AWAITING_TYPE, ReflectorState.STARTING, ReflectorState.LISTING, ReflectorState.POLLING,
			ReflectorState.WATCHING, ReflectorState.PAUSED, ReflectorState.STOPPED);

	private final List<ReflectorLoop<T>> loops;

	Loops(List<ReflectorLoop<T>> loops) {
		this.loops = List.copyOf(loops);
	}

	ReflectorLoop<T> get(int index) {
		return this.loops.get(index);
	}

	void narrowed() {
		this.loops.forEach(ReflectorLoop::narrowed);
	}

	void signal(LoopSignal signal) {
		this.loops.forEach((loop) -> loop.signal(signal));
	}

	/**
	 * Makes the loops continue from the versions of a restored snapshot. Must be called
	 * before the loops run.
	 * @param cursors the version from which each loop resumes, by namespace. If all
	 * namespaces are followed together, the only key is the empty string. A loop without
	 * a version lists
	 */
	void resumeFrom(Map<String, String> cursors) {
		for (ReflectorLoop<T> loop : this.loops) {
			String namespace = loop.namespace();
			String cursor = cursors.get((namespace != null) ? namespace : "");
			loop.restored(cursor);
		}
	}

	/**
	 * Returns the version up to which each loop has received its objects, by namespace.
	 * If all namespaces are followed together, the only key is the empty string.
	 */
	Map<String, String> cursors() {
		Map<String, String> cursors = new LinkedHashMap<>();
		for (ReflectorLoop<T> loop : this.loops) {
			String namespace = loop.namespace();
			cursors.put((namespace != null) ? namespace : "", loop.lastSyncVersion());
		}
		return cursors;
	}

	/** Returns the keys whose namespaces no loop follows. */
	List<ResourceKey> uncovered(Collection<ResourceKey> keys) {
		Set<@Nullable String> namespaces = new HashSet<>();
		this.loops.forEach((loop) -> namespaces.add(loop.namespace()));
		return namespaces.contains(null) ? List.of()
				: keys.stream().filter((key) -> !namespaces.contains(key.namespace())).toList();
	}

	void resync() {
		this.loops.forEach(ReflectorLoop::resync);
	}

	void mark(int loop, Checkpoint<T> checkpoint) {
		this.loops.get(loop).mark(checkpoint);
	}

	/** Shows a state of the run in the journals of all loops. */
	void show(ReflectorState state, String reason) {
		this.loops.forEach((loop) -> loop.journal().state(state, reason));
	}

	/** Returns the state of the loop that most needs attention. */
	ReflectorState state() {
		return statuses().map(LoopStatus::shown)
			.min(Comparator.comparingInt(BY_CONCERN::indexOf))
			.orElse(ReflectorState.STOPPED);
	}

	/** Returns the smallest version of all loops (W-68). */
	String lastSyncResourceVersion() {
		return this.loops.stream()
			.map(ReflectorLoop::lastSyncVersion)
			.min(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
			.orElse("");
	}

	@Nullable Instant lastListAt() {
		return pick(LoopStatus::lastListAt, BinaryOperator.maxBy(Comparator.naturalOrder()));
	}

	@Nullable Instant lastEventAt() {
		return pick(LoopStatus::lastEventAt, BinaryOperator.maxBy(Comparator.naturalOrder()));
	}

	@Nullable Instant failingSince() {
		return pick(LoopStatus::failingSince, BinaryOperator.minBy(Comparator.naturalOrder()));
	}

	private @Nullable Instant pick(Function<LoopStatus, @Nullable Instant> fact, BinaryOperator<Instant> choice) {
		return statuses().map(fact).filter(Objects::nonNull).reduce(choice).orElse(null);
	}

	@Nullable LastError lastError() {
		LastError last = null;
		for (ReflectorLoop<T> loop : this.loops) {
			LastError error = loop.journal().status().lastError();
			if (error != null && (last == null || error.at().isAfter(last.at()))) {
				last = error;
			}
		}
		return last;
	}

	/**
	 * Returns the state of the connection. With several namespaces, the time of the last
	 * progress is the oldest of the times of all namespaces.
	 */
	ReflectorStatus.Contact contact() {
		Instant progress = Instant.MAX;
		List<ReflectorStatus.Scope> scopes = new ArrayList<>();
		for (ReflectorLoop<T> loop : this.loops) {
			LoopStatus status = loop.journal().status();
			Instant at = status.lastProgressAt();
			progress = (at == null || progress == null) ? null : at.isBefore(progress) ? at : progress;
			scopes.add(status.scope(loop.lastSyncVersion()));
		}
		return new ReflectorStatus.Contact(statuses().allMatch(LoopStatus::isConnected), progress,
				statuses().anyMatch(LoopStatus::isBookmarked), scopes);
	}

	private Stream<LoopStatus> statuses() {
		return this.loops.stream().map((loop) -> loop.journal().status());
	}

}
