package dev.reflector.cache.internal.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import dev.reflector.ResourceKey;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.QueueSettings.Overflow;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.internal.store.KnownObjects;
import dev.reflector.cache.source.MetadataAccessor;

/**
 * A queue of deltas. The test is its writer and its consumer.
 */
public final class QueueFixture {

	final DeltaFifo<Thing> fifo;

	private final Map<ResourceKey, Thing> known = new HashMap<>();

	QueueFixture(Ordering ordering) {
		this(ordering, 1, 10_000);
	}

	QueueFixture(Ordering ordering, int scopes, int capacity) {
		KnownObjects<Thing> objects = new KnownObjects<>() {

			@Override
			public Thing get(ResourceKey key) {
				return QueueFixture.this.known.get(key);
			}

			@Override
			public void forEach(BiConsumer<ResourceKey, Thing> action) {
				QueueFixture.this.known.forEach(action);
			}

		};
		this.fifo = DeltaFifo.create(new QueueSettings(ordering, capacity, Overflow.BLOCK),
				MetadataAccessor.forType(Thing.class), objects, scopes);
	}

	/** Things by name and version: {@code foo@5}. */
	public static Thing thing(String text) {
		String[] parts = text.split("@");
		return Thing.of(parts[0], parts[1]);
	}

	static ResourceKey key(String name) {
		return ResourceKey.of("default", name);
	}

	QueueFixture know(String... things) {
		for (String thing : things) {
			this.known.put(key(thing(thing).name()), thing(thing));
		}
		return this;
	}

	QueueFixture add(String... things) {
		Stream.of(things).map(QueueFixture::thing).forEach(this.fifo::add);
		this.fifo.wake();
		return this;
	}

	QueueFixture update(String... things) {
		Stream.of(things).map(QueueFixture::thing).forEach(this.fifo::update);
		this.fifo.wake();
		return this;
	}

	QueueFixture delete(String... things) {
		Stream.of(things).map(QueueFixture::thing).forEach(this.fifo::delete);
		this.fifo.wake();
		return this;
	}

	QueueFixture replace(String version, String... things) {
		Map<ResourceKey, Thing> objects = new LinkedHashMap<>();
		Stream.of(things).map(QueueFixture::thing).forEach((thing) -> objects.put(key(thing.name()), thing));
		this.fifo.replace(new Delta.Replacement<>(null, objects, version, Set.of()));
		return this;
	}

	QueueFixture resync() {
		this.fifo.resync(null, () -> true);
		return this;
	}

	/**
	 * Pops once and gives the deltas as text, marked when they belong to the first state.
	 */
	String pop() {
		return popBatch(1);
	}

	/** Waits for deltas and pops once. */
	static <T> boolean popBatch(DeltaFifo<T> fifo, PopProcessFunc<T> process, int limit) {
		boolean open = fifo.awaitMore();
		fifo.pop(process, limit);
		return open;
	}

	String popBatch(int limit) {
		List<String> popped = new ArrayList<>();
		QueueFixture.popBatch(this.fifo, (deltas, initial) -> {
			popped.add(deltas.stream().map(QueueFixture::describe).toList() + (initial ? " initial" : ""));
		}, limit);
		return String.join(", ", popped);
	}

	/**
	 * Pops until the queue is empty, closes it, and shows what it still delivers then.
	 */
	List<String> popAll() {
		return popAll(1);
	}

	List<String> popAll(int limit) {
		List<String> popped = new ArrayList<>();
		while (this.fifo.size() > 0) {
			popped.add(popBatch(limit));
		}
		this.fifo.close();
		if (QueueFixture.popBatch(this.fifo, (deltas, initial) -> popped.add("surplus " + deltas), 1)) {
			popped.add("surplus");
		}
		return popped;
	}

	static String describe(Delta<Thing> delta) {
		if (delta instanceof Delta.Upsert<Thing> upsert) {
			return upsert.kind() + " " + upsert.object();
		}
		if (delta instanceof Delta.Deleted<Thing> deleted) {
			return (deleted.tombstone() ? "TOMBSTONE " : "DELETED ") + deleted.object();
		}
		if (delta instanceof Delta.ReplacedAll<Thing> all) {
			return "REPLACED_ALL " + all.replacement().resourceVersion() + " "
					+ List.copyOf(all.replacement().objects().values());
		}
		if (delta instanceof Delta.Bookmark<Thing> bookmark) {
			return "BOOKMARK " + bookmark.resourceVersion();
		}
		return "SYNC_ALL";
	}

}
