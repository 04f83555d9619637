package dev.reflector.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.ResourceType;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.client.internal.bind.JsonSnapshotCodec;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.kafka.core.ConsumerFactory;

/**
 * A source that reads the records of a {@link KafkaPublisher}: a mirror is filled from a
 * compacted topic, and then follows the topic. However many mirrors read the topic, the
 * API server serves only one watch, the watch of the publisher.
 * <p>
 * A list reads the topic from its beginning to its current end. A watch continues from
 * the end of the list. The versions are the resource versions from the API server. With
 * several partitions, changes of different objects may not come in the order of their
 * versions.
 * <p>
 * <b>Order.</b> Within a partition, a later record replaces an earlier record of the same
 * key, even if the later record has a smaller version. A record with the same content as
 * the previous record of its key causes no event. After partitions were added, a key may
 * have records in several partitions. In that case, the record with the greatest version
 * is used. It is an error if these records have different uids, or versions that cannot
 * be ordered, or the same version with different contents. The message of the error names
 * the key and asks for a new topic.
 * <p>
 * <b>Another topic.</b> It is also an error if the topic was deleted and made again, or
 * if its {@code cleanup.policy} was changed. The topic is checked when a list or watch
 * begins, and as often as clients refresh their metadata ({@code metadata.max.age.ms}).
 * After any of these errors, the mirror keeps its objects and tries again.
 * <p>
 * The mirror lists again in the following cases. Such a list sends no request to the API
 * server.
 * <ul>
 * <li>the topic no longer has the records after the mirror's position;</li>
 * <li>partitions were added;</li>
 * <li>the mirror has been behind for so long that records of deletions may have been
 * cleaned up;</li>
 * <li>the mirror asks for a version other than the one at which its last watch
 * ended.</li>
 * </ul>
 * Each reflector needs its own source, because the source keeps the position of the
 * reflector. The source belongs to no consumer group and commits no offsets. Each list
 * and each watch has its own consumer and thread {@code reflector-kafka-TOPIC}.
 * Thread-safe.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class KafkaListerWatcher<T> implements ListerWatcher<T> {

	/** First pause before a missing topic is looked up again. */
	private static final Duration FIRST_LOOK = Duration.ofMillis(500);

	/** Longest pause before a missing topic is looked up again. */
	private static final Duration LONGEST = Duration.ofSeconds(5);

	private final ConsumerFactory<?, ?> consumers;

	private final String topic;

	private final TopicObjects<T> objects;

	private final Duration tombstoneRetention;

	/** For each namespace, the state from which the next reader continues. */
	private final Map<String, TopicState<T>> states = new ConcurrentHashMap<>();

	/**
	 * The topic from which the mirror was filled, or {@code null} before it was filled.
	 */
	private final AtomicReference<@Nullable TopicFacts> mirrored = new AtomicReference<>();

	/**
	 * How often readers have waited for a missing topic since the topic was last read.
	 */
	private final AtomicInteger waits = new AtomicInteger();

	private KafkaListerWatcher(Builder<T> builder) {
		this.consumers = builder.consumers;
		this.topic = builder.topic;
		ResourceAccessor<T> accessor = builder.accessor;
		this.objects = new TopicObjects<>((accessor != null) ? accessor : MetadataAccessor.forType(builder.type),
				new JsonSnapshotCodec<>(builder.jsonMapper, builder.type,
						ResourceType.of("v1", builder.type.getSimpleName(), null)));
		this.tombstoneRetention = builder.tombstoneRetention;
	}

	/**
	 * Creates a builder.
	 * @param <T> the type of the objects
	 * @param consumers the factory of the consumers. Spring Boot's factory has the
	 * brokers and the security of {@code spring.kafka}. The deserializers and the group
	 * of the factory are not used
	 * @param topic name of the topic
	 * @param type type of the objects, which declares the fields to read
	 * @return the builder
	 */
	public static <T> Builder<T> builder(ConsumerFactory<?, ?> consumers, String topic, Class<T> type) {
		return new Builder<>(consumers, topic, type);
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return Mono.create((sink) -> {
			TopicReading reading = reading();
			sink.onDispose(reading::end);
			reading.begin(() -> sink.success(page(reading, options)), sink::error);
		});
	}

	private ListPage<T> page(TopicReading reading, ListOptions options) {
		if (options.resourceVersionMatch() == ListOptions.ResourceVersionMatch.EXACT) {
			// the list is for a comparison, so the state is not kept for a watch
			return read(reading, new TopicState<>(options.namespace(), this.objects, System.nanoTime())).page();
		}
		TopicState<T> state = read(reading, fresh(options.namespace()));
		ListPage<T> page = state.page();
		reading.mirrored();
		keep(options.namespace(), state);
		return page;
	}

	private TopicState<T> read(TopicReading reading, TopicState<T> state) {
		reading.open(TopicPosition.NONE);
		reading.toPresentEnd((record) -> state.apply(record));
		if (state.isTooOld(reading.now(), this.tombstoneRetention)) {
			throw expired("it took too long to read");
		}
		state.caughtUp(reading.beganAt());
		state.reached(reading.position());
		return state;
	}

	/**
	 * Opens a watch. With {@link WatchOptions#sendInitialEvents()}, it begins with the
	 * objects of the topic.
	 * @param options the options of the watch
	 * @return the events, in the order of the records in each partition
	 */
	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		return Flux.create((sink) -> {
			TopicReading reading = reading();
			TopicWatch<T> watch = new TopicWatch<>(this, reading, options, sink);
			sink.onRequest((count) -> watch.wake());
			sink.onDispose(watch::end);
			reading.begin(watch, sink::error);
		});
	}

	private TopicReading reading() {
		return new TopicReading(this.consumers, this.topic, this.mirrored);
	}

	/** Returns the state for a reader that starts at the beginning of the topic. */
	TopicState<T> fresh(@Nullable String namespace) {
		TopicState<T> state = new TopicState<>(namespace, this.objects, System.nanoTime());
		TopicState<T> before = this.states.remove(scope(namespace));
		if (before != null) {
			state.noteOf(before);
		}
		return state;
	}

	/**
	 * Removes and returns the state that the last reader has kept for the next reader.
	 * @param namespace the namespace, or {@code null} for all
	 * @param version the version from which the next reader continues
	 * @return the state
	 * @throws ApiException if the position of that version is not known, or the state is
	 * too old
	 */
	TopicState<T> take(@Nullable String namespace, String version) {
		TopicState<T> state = this.states.remove(scope(namespace));
		if (state == null || !state.isAt(version)) {
			throw expired("where version " + version + " stands on it is not known");
		}
		requireRecent(state);
		return state;
	}

	void requireRecent(TopicState<T> state) {
		if (state.isTooOld(System.nanoTime(), this.tombstoneRetention)) {
			throw expired("it was not read to its end for " + this.tombstoneRetention
					+ ", so deletions may have been cleaned up");
		}
	}

	/** Keeps a state for the next reader. */
	void keep(@Nullable String namespace, TopicState<T> state) {
		this.waits.set(0);
		this.states.put(scope(namespace), state);
	}

	private static String scope(@Nullable String namespace) {
		return (namespace != null) ? namespace : "";
	}

	ApiException expired(String why) {
		return TopicReading.expired(this.topic, why);
	}

	/**
	 * Waits before a missing topic is looked up again, because the publisher may not have
	 * made it yet. The wait is half a second at first, and grows to five seconds. A
	 * random time of up to half the wait is added, so that many mirrors do not look up
	 * the topic at the same time.
	 * @return a publisher that completes after that time, on a thread of
	 * {@link Schedulers#parallel()}
	 */
	@Override
	public Mono<Void> awaitType() {
		return Mono.defer(() -> {
			long longest = LONGEST.toMillis();
			long millis = Math.min(FIRST_LOOK.toMillis() << Math.min(this.waits.getAndIncrement(), 10), longest);
			return Mono.delay(Duration.ofMillis(millis + ThreadLocalRandom.current().nextLong(millis / 2))).then();
		});
	}

	/**
	 * Whether a received object is equal to the object in the mirror. Equal versions are
	 * not enough: a publisher may write different content with the same version after the
	 * API server was restored from a backup, or after fields were added to the
	 * publisher's type.
	 */
	@Override
	public boolean isSame(T held, T received) {
		return this.objects.isSame(held, received);
	}

	/**
	 * Returns {@code false}, because versions do not show the order of the records on a
	 * topic.
	 * @return {@code false}
	 */
	@Override
	public boolean watchesOverlap() {
		return false;
	}

	/**
	 * Builder of a source.
	 *
	 * @param <T> the type of the objects
	 */
	public static final class Builder<T> {

		private final ConsumerFactory<?, ?> consumers;

		private final String topic;

		private final Class<T> type;

		private @Nullable ResourceAccessor<T> accessor;

		private JsonMapper jsonMapper = new JsonMapper();

		private Duration tombstoneRetention = Duration.ofHours(20);

		private Builder(ConsumerFactory<?, ?> consumers, String topic, Class<T> type) {
			this.consumers = Objects.requireNonNull(consumers, "'consumers' must not be null");
			this.topic = Objects.requireNonNull(topic, "'topic' must not be null");
			this.type = Objects.requireNonNull(type, "'type' must not be null");
		}

		/**
		 * Sets how keys and versions of objects are read. By default, they are read from
		 * the type's metadata.
		 * @param accessor reads keys and versions
		 * @return this builder
		 */
		public Builder<T> accessor(ResourceAccessor<T> accessor) {
			this.accessor = accessor;
			return this;
		}

		/**
		 * Sets the mapper whose modules and settings are used to read objects. The mapper
		 * itself is not changed.
		 * @param jsonMapper the mapper
		 * @return this builder
		 */
		public Builder<T> jsonMapper(JsonMapper jsonMapper) {
			this.jsonMapper = jsonMapper;
			return this;
		}

		/**
		 * Sets the time for which the topic certainly keeps the record of a deletion. It
		 * must be less than {@code delete.retention.ms} of the topic, which is a day by
		 * default. A reader that has not reached the end of the topic for longer than
		 * this time lists again. The default is 20 hours.
		 * @param tombstoneRetention the time
		 * @return this builder
		 */
		public Builder<T> tombstoneRetention(Duration tombstoneRetention) {
			if (tombstoneRetention.isNegative() || tombstoneRetention.isZero()) {
				throw new IllegalArgumentException("'tombstoneRetention' must be positive");
			}
			this.tombstoneRetention = tombstoneRetention;
			return this;
		}

		/**
		 * Builds the source.
		 * @return the source
		 */
		public KafkaListerWatcher<T> build() {
			return new KafkaListerWatcher<>(this);
		}

	}

}
