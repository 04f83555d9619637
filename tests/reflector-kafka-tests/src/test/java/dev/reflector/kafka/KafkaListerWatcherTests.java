package dev.reflector.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.cache.config.ListSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.fixture.LongFormOnly;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Mirrors of topics, which a plain producer writes.
 */
@ExtendWith(Patience.class)
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaListerWatcherTests {

	private final List<Change<Widget>> changes = new CopyOnWriteArrayList<>();

	private final List<SharedInformer<Widget>> informers = new ArrayList<>();

	private final Map<String, String> expected = new TreeMap<>();

	private String topic;

	private KafkaProducer<String, @Nullable String> producer;

	private long version;

	@BeforeEach
	void makeTopic() {
		this.topic = Broker.topic(3, "compact");
		this.producer = newProducer();
	}

	private static KafkaProducer<String, @Nullable String> newProducer() {
		return new KafkaProducer<>(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, Broker.servers()),
				new StringSerializer(), new StringSerializer());
	}

	@AfterEach
	void close() {
		this.informers.forEach((informer) -> {
			informer.stop().toCompletableFuture().join();
			informer.close();
		});
		this.producer.close();
	}

	private void put(String name) {
		String version = Long.toString(++this.version);
		this.expected.put("default/" + name, version);
		send("default/" + name, "{\"metadata\":{\"namespace\":\"default\",\"name\":\"" + name
				+ "\",\"resourceVersion\":\"" + version + "\"},\"spec\":{\"size\":" + this.version + "}}", version);
	}

	private void delete(String name) {
		this.expected.remove("default/" + name);
		send("default/" + name, null, Long.toString(++this.version));
	}

	private void send(String key, @Nullable String value, String version) {
		ProducerRecord<String, @Nullable String> record = new ProducerRecord<>(this.topic, key, value);
		record.headers().add("reflector_resourceVersion", version.getBytes());
		this.producer.send(record);
		this.producer.flush();
	}

	private static ConsumerFactory<?, ?> consumers() {
		return new DefaultKafkaConsumerFactory<>(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, Broker.servers(),
				ConsumerConfig.GROUP_ID_CONFIG, "not used", ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest"));
	}

	private SharedInformer<Widget> mirror(ReflectorOptions options) {
		return mirror(KafkaListerWatcher.builder(consumers(), this.topic, Widget.class).build(), options);
	}

	private SharedInformer<Widget> mirror(KafkaListerWatcher<Widget> source, ReflectorOptions options) {
		SharedInformer<Widget> informer = SharedInformer
			.builder("widgets", source, MetadataAccessor.forType(Widget.class))
			.options(options)
			.build();
		informer.addEventHandler(this.changes::add);
		this.informers.add(informer);
		informer.start();
		return informer;
	}

	private static Map<String, String> content(SharedInformer<Widget> mirror) {
		Map<String, String> content = new HashMap<>();
		mirror.lister()
			.stream()
			.forEach((widget) -> content.put(widget.metadata().namespace() + "/" + widget.metadata().name(),
					widget.metadata().resourceVersion()));
		return content;
	}

	private void awaitEqual(SharedInformer<Widget> mirror) {
		await().untilAsserted(() -> assertThat(content(mirror)).isEqualTo(this.expected));
	}

	@ParameterizedTest
	@EnumSource(ListSettings.InitialList.class)
	void aMirrorBeginsWithWhatIsOnTheTopicAndFollowsIt(ListSettings.InitialList initialList) {
		put("a");
		put("b");
		put("a");
		put("gone");
		delete("gone");
		SharedInformer<Widget> mirror = mirror(ReflectorOptions.builder().initialList(initialList).build());
		await().until(mirror::hasSynced);
		assertThat(content(mirror)).isEqualTo(this.expected);
		assertThat(mirror.lister().hasReached("5")).isTrue();
		put("c");
		put("b");
		delete("a");
		awaitEqual(mirror);
		await().until(() -> this.changes.size() == 5);
		assertThat(this.changes).extracting((change) -> change.type() + " " + change.key().name())
			.contains("ADDED a", "ADDED b", "ADDED c", "UPDATED b", "DELETED a");
		Change<Widget> deletion = this.changes.stream()
			.filter((change) -> change.type() == Change.Type.DELETED)
			.findFirst()
			.orElseThrow();
		assertThat(deletion.resourceVersion()).isEqualTo(Long.toString(this.version));
		assertThat(deletion.finalStateUnknown()).isFalse();
		assertThat(deletion.object().spec()).isEqualTo(new Widget.Spec(3));
	}

	/** All of them with {@code -Dtests.full=true}. */
	static Stream<ListSettings.InitialList> initialLists() {
		ListSettings.InitialList[] all = ListSettings.InitialList.values();
		return Stream.of(all).limit(Boolean.getBoolean("tests.full") ? all.length : 1);
	}

	@ParameterizedTest
	@MethodSource("initialLists")
	void oneWatchFollowsTheOtherWithoutAList(ListSettings.InitialList initialList) {
		SharedInformer<Widget> mirror = mirror(
				ReflectorOptions.builder().initialList(initialList).minWatchTimeout(Duration.ofSeconds(1)).build());
		await().until(mirror::hasSynced);
		put("a");
		awaitEqual(mirror);
		for (int i = 0; i < 40; i++) {
			put("w" + i);
		}
		long watches = mirror.status().counts().watches();
		await().until(() -> mirror.status().counts().watches() > watches + 1);
		put("z");
		awaitEqual(mirror);
		ReflectorStatus.Counts counts = mirror.status().counts();
		assertThat(counts.relists()).isZero();
		// the mirror has an object before its handlers receive it
		await().untilAsserted(() -> assertThat(this.changes).hasSize(this.expected.size()));
	}

	@Test
	void onlyTheObjectsOfANamespaceAreMirrored() {
		send("one/a", "{\"metadata\":{\"namespace\":\"one\",\"name\":\"a\",\"resourceVersion\":\"1\"}}", "1");
		send("two/a", "{\"metadata\":{\"namespace\":\"two\",\"name\":\"a\",\"resourceVersion\":\"2\"}}", "2");
		SharedInformer<Widget> mirror = SharedInformer
			.builder("widgets", KafkaListerWatcher.builder(consumers(), this.topic, Widget.class).build(),
					MetadataAccessor.forType(Widget.class))
			.namespaces(List.of("one"))
			.build();
		this.informers.add(mirror);
		mirror.start();
		await().until(mirror::hasSynced);
		assertThat(content(mirror)).containsOnlyKeys("one/a");
	}

	@Test
	void aRecordThatMakesNoObjectIsSkipped() {
		put("a");
		send("default/broken", "{\"metadata\":", "2");
		SharedInformer<Widget> mirror = mirror(ReflectorOptions.builder().build());
		await().until(mirror::hasSynced);
		awaitEqual(mirror);
		assertThat(mirror.status().skipped()).isEqualTo(1);
		send("default/a", "[]", "3");
		put("b");
		awaitEqual(mirror);
	}

	@ParameterizedTest
	@MethodSource("initialLists")
	void theDeletionOfAnObjectWhoseLastRecordMakesNoObjectIsDelivered(ListSettings.InitialList initialList)
			throws Exception {
		this.topic = Broker.topic(3, "compact,delete");
		put("a");
		SharedInformer<Widget> mirror = mirror(ReflectorOptions.builder().initialList(initialList).build());
		awaitEqual(mirror);
		// as after compaction, only a record that makes no object is left
		deleteRecords();
		send("default/a", "{\"metadata\":", "2");
		await().until(() -> mirror.skippedObjects().size() == 1);
		mirror.relist();
		await().until(() -> mirror.status().counts().relists() == 1 && mirror.state() == ReflectorState.WATCHING);
		awaitEqual(mirror);
		this.version = 2;
		delete("a");
		awaitEqual(mirror);
		assertThat(mirror.skippedObjects()).isEmpty();
		await().untilAsserted(() -> assertThat(this.changes).extracting(Change::type)
			.containsExactly(Change.Type.ADDED, Change.Type.DELETED));
	}

	@Test
	void aTopicThatIsTruncatedIsReadFromItsBeginning() throws Exception {
		this.topic = Broker.topic(3, "compact,delete");
		KafkaListerWatcher<Widget> source = KafkaListerWatcher.builder(consumers(), this.topic, Widget.class).build();
		put("a");
		String listed = Objects.requireNonNull(source.list(new ListOptions(null, "", 0, "")).block()).resourceVersion();
		assertThat(listed).isEqualTo("1");
		for (int i = 0; i < 30; i++) {
			put("w" + i);
		}
		deleteRecords();
		assertThatExceptionOfType(ApiException.class).isThrownBy(() -> watch(source, listed).blockLast())
			.satisfies((failure) -> assertThat(failure.status().isExpired()).isTrue());
		this.expected.clear();
		put("e");
		awaitEqual(mirror(source, ReflectorOptions.builder().build()));
		// the topic has lost newer versions, and the source does not go back
		assertThat(source.list(new ListOptions(null, "", 0, "")).block())
			.satisfies((page) -> assertThat(Objects.requireNonNull(page).resourceVersion()).isEqualTo("32"));
	}

	private void deleteRecords() throws Exception {
		try (Admin admin = Broker.admin()) {
			Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
			for (int partition = 0; partition < 3; partition++) {
				all.put(new TopicPartition(this.topic, partition), RecordsToDelete.beforeOffset(-1));
			}
			admin.deleteRecords(all).all().get();
		}
	}

	private static Flux<WatchEvent<Widget>> watch(KafkaListerWatcher<Widget> source, String version) {
		return source.watch(new WatchOptions(null, version, Duration.ofSeconds(30), true, false));
	}

	@Test
	void aWatchFromAnotherVersionThanThatOfTheLastReaderIsExpired() {
		KafkaListerWatcher<Widget> source = KafkaListerWatcher.builder(consumers(), this.topic, Widget.class).build();
		put("a");
		assertThatExceptionOfType(ApiException.class).isThrownBy(() -> watch(source, "1").blockLast())
			.satisfies((failure) -> assertThat(failure.status().isExpired()).isTrue());
		source.list(new ListOptions(null, "", 0, "")).block();
		put("b");
		assertThat(watch(source, "1").take(2).collectList().block()).last()
			.isInstanceOfSatisfying(WatchEvent.Added.class,
					(added) -> assertThat(((Widget) added.object()).metadata().name()).isEqualTo("b"));
		// that watch was cancelled, so what its reader has received is unknown
		assertThatExceptionOfType(ApiException.class).isThrownBy(() -> watch(source, "2").blockLast())
			.satisfies((failure) -> assertThat(failure.status().isExpired()).isTrue());
	}

	@Test
	void aListThatComparesDoesNotMoveTheReader() {
		KafkaListerWatcher<Widget> source = KafkaListerWatcher.builder(consumers(), this.topic, Widget.class).build();
		put("a");
		source.list(new ListOptions(null, "", 0, "")).block();
		put("b");
		ListPage<Widget> compared = source
			.list(new ListOptions(null, "1", 0, "", ListOptions.ResourceVersionMatch.EXACT))
			.block();
		assertThat(Objects.requireNonNull(compared).resourceVersion()).isEqualTo("2");
		assertThat(watch(source, "1").take(2).collectList().block()).last()
			.isInstanceOfSatisfying(WatchEvent.Added.class,
					(added) -> assertThat(((Widget) added.object()).metadata().name()).isEqualTo("b"));
	}

	@Test
	@LongFormOnly
	void aTopicThatWasDeletedAndMadeAgainIsNotRead() throws Exception {
		KafkaListerWatcher<Widget> source = KafkaListerWatcher.builder(consumers(), this.topic, Widget.class).build();
		put("a");
		String listed = Objects.requireNonNull(source.list(new ListOptions(null, "", 0, "")).block()).resourceVersion();
		try (Admin admin = Broker.admin()) {
			admin.deleteTopics(List.of(this.topic)).all().get();
			await().ignoreExceptions().until(() -> {
				admin.createTopics(List.of(new NewTopic(this.topic, 3, (short) 1)
					.configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, "compact")))).all().get();
				return true;
			});
		}
		this.producer.close();
		this.producer = newProducer();
		// more than before in each partition
		for (int i = 0; i < 30; i++) {
			put("w" + i);
		}
		assertThatExceptionOfType(ApiException.class).isThrownBy(() -> watch(source, listed).blockLast())
			.withMessageContaining("deleted and made again");
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> source.list(new ListOptions(null, "", 0, "")).block())
			.withMessageContaining("deleted and made again")
			.satisfies((failure) -> assertThat(failure.status().isExpired()).isFalse());
	}

	@Test
	void aKeyThatGoesBackAndForwardAgainIsRightInTheEnd() {
		put("a");
		put("a");
		delete("a");
		put("a");
		SharedInformer<Widget> mirror = mirror(ReflectorOptions.builder().build());
		awaitEqual(mirror);
		// as after a crash of the publisher
		this.version = 1;
		put("a");
		delete("a");
		put("a");
		put("last");
		awaitEqual(mirror);
		assertThat(mirror.status().counts().relists()).isZero();
	}

	@Test
	void aRecordWithTheObjectOfAnotherKeyIsSkipped() {
		put("a");
		send("default/b", "{\"metadata\":{\"namespace\":\"default\",\"name\":\"a\",\"resourceVersion\":\"2\"}}", "2");
		send("default/b", null, "3");
		this.version = 3;
		put("c");
		SharedInformer<Widget> mirror = mirror(ReflectorOptions.builder().build());
		awaitEqual(mirror);
		long skipped = mirror.status().skipped();
		send("default/d", "{\"metadata\":{\"namespace\":\"default\",\"name\":\"a\",\"resourceVersion\":\"5\"}}", "5");
		await().until(() -> mirror.status().skipped() == skipped + 1);
		send("default/d", null, "6");
		this.version = 6;
		put("e");
		awaitEqual(mirror);
	}

	@Test
	void aBrokerWhoseNameIsNotKnownIsTriedAgain() {
		ConsumerFactory<?, ?> lost = new DefaultKafkaConsumerFactory<>(
				Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "broker.invalid:9092"));
		SharedInformer<Widget> mirror = mirror(KafkaListerWatcher.builder(lost, this.topic, Widget.class).build(),
				ReflectorOptions.builder().build());
		await().until(() -> mirror.state() == ReflectorState.BACKING_OFF);
		ReflectorStatus.LastError error = Objects.requireNonNull(mirror.status().lastError());
		assertThat(error.reason()).isEqualTo("KafkaUnavailable");
		assertThat(error.message()).contains(this.topic, "bootstrap.servers");
	}

	@Test
	void noMoreIsHandedOnThanIsRequested() {
		KafkaListerWatcher<Widget> source = KafkaListerWatcher.builder(consumers(), this.topic, Widget.class).build();
		for (int i = 0; i < 20; i++) {
			put("w" + i);
		}
		List<WatchEvent<Widget>> events = new CopyOnWriteArrayList<>();
		BaseSubscriber<WatchEvent<Widget>> subscriber = new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				subscription.request(3);
			}

			@Override
			protected void hookOnNext(WatchEvent<Widget> event) {
				events.add(event);
			}

		};
		source.watch(new WatchOptions(null, "", Duration.ofSeconds(30), true, true)).subscribe(subscriber);
		await().until(() -> events.size() == 3);
		subscriber.request(2);
		await().until(() -> events.size() == 5);
		subscriber.request(1000);
		await().until(() -> events.size() == 22);
		assertThat(events.get(0)).isInstanceOf(WatchEvent.Opened.class);
		assertThat(events.get(21)).isEqualTo(new WatchEvent.Bookmark<>("20", true));
		subscriber.cancel();
	}

	@Test
	void partitionsThatAreAddedAreRead() throws Exception {
		put("a");
		SharedInformer<Widget> mirror = mirror(
				ReflectorOptions.builder().minWatchTimeout(Duration.ofSeconds(1)).build());
		awaitEqual(mirror);
		try (Admin admin = Broker.admin()) {
			admin.createPartitions(Map.of(this.topic, NewPartitions.increaseTo(12))).all().get();
		}
		// the producer learns of them when it is new
		this.producer.close();
		this.producer = newProducer();
		for (int i = 0; i < 30; i++) {
			put("w" + i);
		}
		awaitEqual(mirror);
	}

	@Test
	void aReaderThatHasNotKeptUpListsAgain() {
		put("a");
		KafkaListerWatcher<Widget> source = KafkaListerWatcher.builder(consumers(), this.topic, Widget.class)
			.tombstoneRetention(Duration.ofSeconds(2))
			.build();
		SharedInformer<Widget> mirror = mirror(source,
				ReflectorOptions.builder().minWatchTimeout(Duration.ofSeconds(1)).build());
		awaitEqual(mirror);
		await().until(() -> mirror.status().counts().relists() > 0);
		put("b");
		awaitEqual(mirror);
	}

	@Test
	void aTopicThatDoesNotExistYetIsAwaitedAndThenMirrored() throws Exception {
		this.topic = Broker.topic();
		SharedInformer<Widget> mirror = mirror(ReflectorOptions.builder().build());
		await().until(() -> mirror.state() == ReflectorState.AWAITING_TYPE);
		assertThat(mirror.hasSynced()).isFalse();
		try (Admin admin = Broker.admin()) {
			assertThat(admin.listTopics().names().get()).doesNotContain(this.topic);
		}
		Broker.make(this.topic, 3, "compact");
		put("a");
		awaitEqual(mirror);
		await().until(mirror::hasSynced);
	}

}
