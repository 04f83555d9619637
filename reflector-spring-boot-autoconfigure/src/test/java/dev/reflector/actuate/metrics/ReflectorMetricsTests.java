package dev.reflector.actuate.metrics;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.ConsistencyReport;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ReflectorStatus.Shard.FilteredBy;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.RequestFailure;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.fixture.FakeReflector;
import dev.reflector.fixture.GeneratedTable;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.search.RequiredSearch;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorMetrics}.
 */
class ReflectorMetricsTests {

	/** Meters by the number of the endpoint that they repeat. */
	private static final Map<String, String> METERS = Map.ofEntries(Map.entry("size", "reflector.store.size"),
			Map.entry("skipped", "reflector.skipped.current"), Map.entry("queueDepth", "reflector.queue.depth"),
			Map.entry("counts.lists", "reflector.lists"), Map.entry("counts.watches", "reflector.watches"),
			Map.entry("counts.added", "reflector.events{type=added}"),
			Map.entry("counts.updated", "reflector.events{type=updated}"),
			Map.entry("counts.deleted", "reflector.events{type=deleted}"),
			Map.entry("counts.bookmarks", "reflector.events{type=bookmark}"),
			Map.entry("counts.errors", "reflector.errors"),
			Map.entry("lastError.status", "reflector.last.error.status"),
			Map.entry("snapshot.restored", "reflector.snapshot.restored"),
			Map.entry("snapshot.size", "reflector.snapshot.size"),
			Map.entry("snapshot.contentUnknown", "reflector.snapshot.content.unknown"),
			Map.entry("verify.scopes.compared", "reflector.last.verification.objects{kind=compared}"),
			Map.entry("verify.scopes.missing", "reflector.last.verification.objects{kind=missing}"),
			Map.entry("verify.scopes.surplus", "reflector.last.verification.objects{kind=surplus}"),
			Map.entry("verify.scopes.different", "reflector.last.verification.objects{kind=different}"),
			Map.entry("verify.scopes.skipped", "reflector.last.verification.objects{kind=skipped}"));

	/** Meters by the time of the endpoint whose age they have. */
	private static final Map<String, String> AGES = Map.of("lastListAt", "reflector.last.list.age", "lastEventAt",
			"reflector.last.event.age", "lastProgressAt", "reflector.resource.version.age", "lastError.at",
			"reflector.last.error.age", "deliveryStopped.at", "reflector.delivery.stopped.age", "verify.at",
			"reflector.last.verification.age", "snapshot.committedAt", "reflector.snapshot.age", "snapshot.behindSince",
			"reflector.snapshot.lag", "snapshot.slowestListener.since",
			"reflector.snapshot.listener.lag{listener=SlowListener.on}");

	private final MockClock clock = new MockClock();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, this.clock);

	private final FakeReflector<Object> pods = new FakeReflector<>("pods",
			FakeReflector.status(ReflectorState.WATCHING, true, null, FakeReflector.forbidden()));

	private final ReflectorMetrics metrics = new ReflectorMetrics(() -> Stream.of(this.pods));

	@BeforeEach
	void setTime() {
		this.clock.add(Duration.ofMillis(FakeReflector.NOW.toEpochMilli() - this.clock.wallTime()));
		this.pods.durable(true);
		this.pods.sharded(FilteredBy.CLIENT);
	}

	@Test
	void everyNumberOfTheEndpointIsAMetric() {
		this.metrics.bindTo(this.registry);
		Map<String, Double> numbers = new LinkedHashMap<>();
		numbersOfTheEndpoint(numbers, new LinkedHashMap<>());
		// the failure of a listener has no status
		assertThat(numbers.remove("deliveryStopped.status")).isZero();
		// all lists except the first
		assertThat(numbers.remove("counts.relists")).isNotNull();
		// properties of the application
		assertThat(numbers.remove("shard.index")).isNotNull();
		assertThat(numbers.remove("shard.count")).isNotNull();
		assertThat(numbers).containsOnlyKeys(METERS.keySet());
		numbers.forEach((path, number) -> assertThat(value(METERS.get(path))).as(path).isEqualTo(number));
	}

	@Test
	void everyTimeOfTheEndpointIsAnAge() {
		this.metrics.bindTo(this.registry);
		Map<String, Instant> times = new LinkedHashMap<>();
		numbersOfTheEndpoint(new LinkedHashMap<>(), times);
		this.clock.add(Duration.ofSeconds(7));
		assertThat(times).containsOnlyKeys(AGES.keySet());
		times.forEach((path, time) -> assertThat(value(AGES.get(path))).as(path)
			.isEqualTo(Duration.between(time, FakeReflector.NOW).toSeconds() + 7));
	}

	private void numbersOfTheEndpoint(Map<String, Double> numbers, Map<String, Instant> times) {
		this.pods.become(stopped());
		this.pods.verify().thenAccept(this.metrics.observer("pods")::verified);
		ReflectorsEndpoint endpoint = new ReflectorsEndpoint(() -> Stream.of(this.pods));
		collect("", JsonMapper.shared().valueToTree(endpoint.reflector("pods")), numbers, times);
		collect("verify", JsonMapper.shared().valueToTree(endpoint.act("pods", "verify")), numbers, times);
	}

	private static ReflectorStatus stopped() {
		ReflectorStatus status = FakeReflector.status(ReflectorState.WATCHING, true, null, FakeReflector.forbidden());
		return new ReflectorStatus(status.state(), status.lastSyncResourceVersion(), status.synced(), status.size(),
				status.skipped(), status.queueDepth(), status.counts(), status.lastListAt(), status.lastEventAt(),
				status.failingSince(), status.lastError(),
				new ReflectorStatus.LastError(FakeReflector.NOW.minusSeconds(20), 0, "ListenerFailed",
						"a listener failed"),
				null, status.contact());
	}

	@Test
	void tableOfTheGuideIsWhatIsRegistered() throws IOException {
		this.pods.slowest(null);
		this.metrics.bindTo(this.registry);
		Map<String, String> rows = new TreeMap<>();
		for (Meter meter : this.registry.getMeters()) {
			Meter.Id id = meter.getId();
			String tags = id.getTags()
				.stream()
				.map(Tag::getKey)
				.filter((key) -> !key.equals("reflector"))
				.map((key) -> "`" + key + "`: " + values(id.getName(), key))
				.collect(Collectors.joining(", "));
			String unit = (meter instanceof Timer) ? "seconds" : (id.getBaseUnit() != null) ? id.getBaseUnit() : "";
			rows.put(id.getName(), "| `" + id.getName() + "` | " + kind(meter) + " | " + unit + " | " + tags + " | "
					+ id.getDescription() + " |");
		}
		List<String> lines = new ArrayList<>();
		lines.add("| meter | kind | unit | other tags | is |");
		lines.add("| --- | --- | --- | --- | --- |");
		lines.addAll(rows.values());
		GeneratedTable.check("reference.md", "meters", lines);
	}

	private String values(String meter, String key) {
		return this.registry.find(meter)
			.meters()
			.stream()
			.map((found) -> "`" + found.getId().getTag(key) + "`")
			.sorted()
			.collect(Collectors.joining(" "));
	}

	private static String kind(Meter meter) {
		return meter.match((gauge) -> "gauge", (counter) -> "counter", (timer) -> "timer", (summary) -> "summary",
				(longTaskTimer) -> "", (timeGauge) -> "", (functionCounter) -> "counter", (functionTimer) -> "",
				(other) -> "");
	}

	@Test
	void tagsAreOfFewValues() {
		this.metrics.bindTo(this.registry);
		assertThat(this.registry.getMeters())
			.allSatisfy((meter) -> assertThat(meter.getId().getTags()).extracting(Tag::getKey)
				.contains("reflector")
				.isSubsetOf("reflector", "type", "reason", "result", "from", "kind", "request", "listener"));
		int atFirst = this.registry.getMeters().size();
		ReflectorObserver observer = this.metrics.observer("pods");
		observer.skipped(new SkippedObject(null, "1", "broken"));
		observer.verified(new ConsistencyReport("pods", FakeReflector.NOW, List.of()));
		assertThat(this.registry.getMeters()).hasSize(atFirst);
	}

	@Test
	void everyMeterButFactsAndVersionsHasAUnit() {
		this.metrics.bindTo(this.registry);
		assertThat(this.registry.getMeters().stream().filter((meter) -> meter.getId().getBaseUnit() == null))
			.extracting((meter) -> meter.getId().getName())
			.containsExactlyInAnyOrder("reflector.standby", "reflector.synced", "reflector.connected",
					"reflector.awaiting.type", "reflector.delivery.stopped", "reflector.events.merged",
					"reflector.last.sync.resource.version", "reflector.last.error.status", "reflector.snapshot.writing",
					"reflector.snapshot.resource.version", "reflector.shard.filtered.here");
	}

	private static void collect(String path, JsonNode node, Map<String, Double> numbers, Map<String, Instant> times) {
		if (node.isNumber()) {
			numbers.put(path, node.asDouble());
		}
		else if (node.isString() && node.asString().matches("\\d{4}-\\d\\d-\\d\\dT.*Z")) {
			times.put(path, Instant.parse(node.asString()));
		}
		else if (node.isArray()) {
			node.forEach((element) -> collect(path, element, numbers, times));
		}
		node.forEachEntry((key, value) -> collect(path.isEmpty() ? key : path + "." + key, value, numbers, times));
	}

	private double value(String meter) {
		String[] parts = meter.split("[{=}]");
		RequiredSearch search = this.registry.get(parts[0]).tag("reflector", "pods");
		Meter found = ((parts.length > 1) ? search.tag(parts[1], parts[2]) : search).meter();
		return (found instanceof FunctionCounter counter) ? counter.count() : ((Gauge) found).value();
	}

	@Test
	void statesAreNumbers() {
		this.metrics.bindTo(this.registry);
		assertThat(value("reflector.synced")).isOne();
		assertThat(value("reflector.connected")).isOne();
		become(ReflectorState.BACKING_OFF);
		assertThat(value("reflector.synced")).isZero();
		assertThat(value("reflector.connected")).isZero();
		assertThat(value("reflector.awaiting.type")).isZero();
		become(ReflectorState.AWAITING_TYPE);
		assertThat(value("reflector.awaiting.type")).isOne();
		assertThat(value("reflector.connected")).isZero();
	}

	@Test
	void whoFiltersAShardIsANumber() {
		this.metrics.bindTo(this.registry);
		assertThat(value("reflector.shard.filtered.here")).isOne();
		this.pods.sharded(FilteredBy.SERVER);
		assertThat(value("reflector.shard.filtered.here")).isZero();
		this.pods.sharded(FilteredBy.UNKNOWN);
		assertThat(value("reflector.shard.filtered.here")).isZero();
	}

	@Test
	void commitsToTheSnapshotAreMeasured() {
		this.metrics.bindTo(this.registry);
		this.metrics.observer("pods").committed(Duration.ofMillis(30));
		this.metrics.observer("pods").commitFailed();
		assertThat(timer("reflector.snapshot.commit.duration").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(30);
		assertThat(this.registry.get("reflector.snapshot.errors").tag("reflector", "pods").counter().count()).isOne();
		assertThat(value("reflector.snapshot.writing")).isOne();
		assertThat(value("reflector.snapshot.resource.version")).isEqualTo(999);
	}

	@Test
	void howASnapshotIsThatAnotherProcessWritesIsNotKnown() {
		this.pods.durable(false);
		this.metrics.bindTo(this.registry);
		assertThat(value("reflector.snapshot.writing")).isZero();
		assertThat(value("reflector.snapshot.restored")).isEqualTo(21);
		assertThat(value("reflector.snapshot.content.unknown")).isEqualTo(2);
		assertThat(List.of("age", "size", "resource.version"))
			.allSatisfy((name) -> assertThat(value("reflector.snapshot." + name)).isNaN());
	}

	@Test
	void theSlowestListenerIsNamedWhenItWasNotAtFirst() {
		this.pods.durable(false);
		this.pods.slowest(null);
		this.metrics.bindTo(this.registry);
		assertThat(value("reflector.snapshot.listener.lag{listener=none}")).isZero();
		this.pods.slowest("Late.on");
		value("reflector.snapshot.lag");
		assertThat(value("reflector.snapshot.listener.lag{listener=Late.on}")).isEqualTo(1800);
		this.pods.slowest("Later.on");
		value("reflector.snapshot.lag");
		assertThat(value("reflector.snapshot.listener.lag{listener=Late.on}")).isZero();
		assertThat(value("reflector.snapshot.listener.lag{listener=Later.on}")).isEqualTo(1800);
	}

	@Test
	void withoutASnapshotThereAreNoMetersOfIt() {
		new ReflectorMetrics(() -> Stream
			.of(new FakeReflector<>("nodes", FakeReflector.status(ReflectorState.WATCHING, true, null, null))))
			.bindTo(this.registry);
		assertThat(this.registry.getMeters()).isNotEmpty()
			.noneMatch((meter) -> meter.getId().getName().startsWith("reflector.snapshot."));
	}

	@Test
	void mergedChangesAreCounted() {
		this.metrics.bindTo(this.registry);
		this.metrics.observer("pods").merged();
		this.metrics.observer("pods").merged();
		assertThat(this.registry.get("reflector.events.merged").tag("reflector", "pods").counter().count())
			.isEqualTo(2);
	}

	@Test
	void timesAreAgesInSeconds() {
		this.metrics.bindTo(this.registry);
		assertThat(value("reflector.last.list.age")).isEqualTo(30);
		assertThat(value("reflector.last.event.age")).isEqualTo(5);
		assertThat(value("reflector.resource.version.age")).isEqualTo(5);
		assertThat(value("reflector.last.bookmark.age")).isNaN();
		assertThat(value("reflector.last.error.age")).isEqualTo(90);
	}

	@Test
	void versionIsItsLast15Digits() {
		this.metrics.bindTo(this.registry);
		assertThat(value("reflector.last.sync.resource.version")).isEqualTo(199254740993123.0);
	}

	@Test
	void delaysAreMeasured() {
		this.metrics.bindTo(this.registry);
		this.metrics.observer("pods")
			.backingOff(Duration.ofMillis(1600), new RequestFailure(null, "ConnectionRefused", "refused", false));
		assertThat(timer("reflector.backoff.duration").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(1600);
	}

	@Test
	void observersFeedTimersAndCounters() {
		ReflectorObserver observer = this.metrics.observer("pods");
		observer.handled("handler", Duration.ofMillis(1), false);
		this.metrics.bindTo(this.registry);
		observer.listed(Duration.ofMillis(20), 3, 1);
		observer.handedOver();
		observer.relisting(RelistReason.EXPIRED);
		observer.skipped(new SkippedObject(null, "1", "broken"));
		observer.handled("handler", Duration.ofMillis(2), false);
		observer.handled("handler", Duration.ofMillis(4), true);
		assertThat(timer("reflector.list.duration").count()).isOne();
		assertThat(this.registry.get("reflector.list.size").tag("reflector", "pods").summary().totalAmount())
			.isEqualTo(3);
		assertThat(this.registry.get("reflector.watch.handovers").tag("reflector", "pods").counter().count()).isOne();
		assertThat(timer("reflector.listener.duration").count()).isEqualTo(2);
		assertThat(this.registry.get("reflector.listener.errors").tag("reflector", "pods").counter().count()).isOne();
		assertThat(skipped("unreadable")).isOne();
		assertThat(skipped("transformation")).isZero();
		assertThat(this.registry.get("reflector.relists").tag("reason", "expired").counter().count()).isOne();
		assertThat(this.registry.get("reflector.relists").tag("reason", "requested").counter().count()).isZero();
	}

	@Test
	void skippedObjectsAreToldApartByWhoseFailureItIs() {
		this.metrics.bindTo(this.registry);
		this.metrics.observer("pods")
			.skipped(new SkippedObject(null, "1", "broken", SkippedObject.Cause.TRANSFORMATION));
		assertThat(skipped("transformation")).isOne();
		assertThat(skipped("unreadable")).isZero();
	}

	private double skipped(String reason) {
		return this.registry.get("reflector.skipped").tag("reflector", "pods").tag("reason", reason).counter().count();
	}

	@Test
	void lastVerificationIsShownAsFarAsItCameToAResult() {
		this.metrics.bindTo(this.registry);
		assertThat(value("reflector.last.verification.objects{kind=missing}")).isNaN();
		assertThat(value("reflector.last.verification.age")).isNaN();
		verified(part(ConsistencyReport.Result.DIFFERENT, 2), part(ConsistencyReport.Result.EQUAL, 3),
				ConsistencyReport.Scope.notComparable("c", "", "forgotten"));
		assertThat(value("reflector.last.verification.objects{kind=compared}")).isEqualTo(14);
		assertThat(value("reflector.last.verification.objects{kind=missing}")).isEqualTo(5);
		verified(ConsistencyReport.Scope.notComparable("c", "", "forgotten"));
		assertThat(value("reflector.last.verification.objects{kind=missing}")).isNaN();
		assertThat(value("reflector.last.verification.age")).isZero();
	}

	private void verified(ConsistencyReport.Scope... parts) {
		this.metrics.observer("pods").verified(new ConsistencyReport("pods", FakeReflector.NOW, List.of(parts)));
	}

	private static ConsistencyReport.Scope part(ConsistencyReport.Result result, int missing) {
		return new ConsistencyReport.Scope("any", result, "9", 7, missing, 0, 0, 0, List.of(), "");
	}

	@Test
	void countsVerificationsByResult() {
		this.metrics.bindTo(this.registry);
		this.pods.verify().thenAccept(this.metrics.observer("pods")::verified);
		assertThat(this.registry.get("reflector.verifications").tag("result", "different").counter().count()).isOne();
		assertThat(this.registry.get("reflector.verifications").tag("result", "equal").counter().count()).isZero();
	}

	@Test
	void asksForTheStatusOnceForAScrape() {
		this.metrics.bindTo(this.registry);
		this.registry.getMeters().forEach((meter) -> meter.measure().forEach((measurement) -> measurement.getValue()));
		assertThat(this.pods.statusCalls()).isOne();
	}

	/** Some registries, such as Prometheus, append the unit to the name. */
	@Test
	void noWordIsTwiceInANameWithItsUnit() {
		this.metrics.bindTo(this.registry);
		assertThat(this.registry.getMeters()).allSatisfy((meter) -> {
			String name = meter.getId().getName();
			String unit = meter.getId().getBaseUnit();
			String whole = (unit == null || name.endsWith(unit)) ? name : name + "." + unit;
			assertThat(Stream.of(whole.split("\\.")).map((word) -> word.replaceAll("(es|s)$", ""))).as(whole)
				.doesNotHaveDuplicates();
		});
	}

	@Test
	void everyMeterHasADescription() {
		this.metrics.bindTo(this.registry);
		assertThat(this.registry.getMeters()).isNotEmpty()
			.allSatisfy((meter) -> assertThat(meter.getId().getDescription()).isNotBlank());
	}

	private void become(ReflectorState state) {
		this.clock.add(Duration.ofSeconds(1));
		this.pods.become(FakeReflector.status(state, false, FakeReflector.NOW, null));
	}

	private Timer timer(String name) {
		return this.registry.get(name).tag("reflector", "pods").timer();
	}

}
