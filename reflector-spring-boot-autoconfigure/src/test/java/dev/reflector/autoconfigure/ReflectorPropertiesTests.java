package dev.reflector.autoconfigure;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.leaderelection.LeaderElectionConfig;
import dev.reflector.sharding.membership.ShardMembershipConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.NestedExceptionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;

class ReflectorPropertiesTests {

	/** A value below every allowed range, by type of the property. */
	private static final Map<String, String> NEGATIVE = Map.of("java.time.Duration", "-1s", "java.lang.Integer", "-1",
			"java.lang.Double", "-1", "org.springframework.util.unit.DataSize", "-1B");

	@Test
	void e02_aHalfOpenConnectionIsNoticedWithinAMinuteAndAHalfButNotBetweenTwoBookmarks() {
		ReflectorProperties defaults = defaults("reflector", ReflectorProperties.class);
		assertThat(defaults.apiServer().idleTimeout()).isBetween(Duration.ofSeconds(70), Duration.ofSeconds(89));
	}

	/** The starter warns of slow listeners, and the engine alone does not. */
	@Test
	void withoutPropertiesOptionsHaveTheDefaultsOfTheEngine() {
		ReflectorProperties defaults = defaults("reflector", ReflectorProperties.class);
		ReflectorOptions.Builder options = defaults.options().resyncPeriod(defaults.resyncPeriod());
		assertThat(options.build().delivery().slowListenerThreshold()).isEqualTo(Duration.ofSeconds(1));
		assertThat(options.slowListenerThreshold(Duration.ZERO).build()).isEqualTo(ReflectorOptions.DEFAULT);
	}

	@Test
	void withoutPropertiesSnapshotsHaveTheDefaultsOfTheEngine() {
		SnapshotStore store = mock();
		SnapshotCodec<Object> codec = mock();
		assertThat(defaults("reflector.snapshot", ReflectorSnapshotProperties.class).settings("").options(store, codec))
			.isEqualTo(SnapshotOptions.builder(store, codec).build());
	}

	@Test
	void withoutPropertiesLeasesHaveTheDefaultsOfTheEngine() {
		assertThat(defaults("reflector.leader-election", ReflectorLeaderElectionProperties.class).config())
			.isEqualTo(LeaderElectionConfig.defaults());
		assertThat(defaults("reflector.sharding", ReflectorShardingProperties.class).leases().config())
			.isEqualTo(ShardMembershipConfig.defaults());
	}

	private static <T> T defaults(String prefix, Class<T> type) {
		return new Binder(new MapConfigurationPropertySource()).bindOrCreate(prefix, type);
	}

	@ParameterizedTest
	@MethodSource("numbers")
	void lessThanNothingIsRefusedByName(String key, String value) {
		assertThat(refusal(key, value)).startsWith("It must ").endsWith(".");
	}

	static Stream<Arguments> numbers() throws IOException {
		List<JsonNode> properties = ReflectorMetadataTests.properties();
		assertThat(properties).isNotEmpty();
		return properties.stream()
			.filter((property) -> NEGATIVE.containsKey(property.path("type").asString("")))
			.map((property) -> Arguments.of(property.path("name").asString().replace("*", "widgets"),
					NEGATIVE.get(property.path("type").asString())))
			.filter((arguments) -> ((String) arguments.get()[0]).startsWith("reflector."));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					reflector.api-server.connect-timeout  | 30d | It must be 1d at most.
					reflector.api-server.idle-timeout     | 366d | It must be 365d at most.
					reflector.api-server.max-object-size  | 2GB | It must be between 1B and 1GB.
					reflector.watch.min-timeout           | 366d | It must be 365d at most.
					reflector.watch.overlap               | 366d | It must be 365d at most.
					reflector.backoff.max                 | 366d | It must be 365d at most.
					reflector.backoff.jitter              | Infinity | It must be between 0 and 10.
					reflector.backoff.jitter              | NaN | It must be between 0 and 10.
					reflector.backoff.multiplier          | NaN | It must be at least 1.
					reflector.events.retry.max-delay      | 366d | It must be 365d at most.
					reflector.resources.widgets.resync-period | 366d | It must be 365d at most.
					reflector.leader-election.lease-duration | 15500ms | It must be whole seconds.
					reflector.leader-election.lease-duration | 10s | It must be greater than the renew deadline (10000 ms).
					reflector.leader-election.renew-deadline | 2400ms | It must be greater than 1.2 times the retry period (2000 ms).
					reflector.leader-election.name        | My Shop | It must be lower-case letters, digits and hyphens, as Kubernetes names are.
					reflector.leader-election.namespace   | a.b | It must be lower-case letters, digits and hyphens, as Kubernetes names are.
					reflector.sharding.slots | 0    | It must be from 1 to 8192.
					reflector.sharding.slots | 8193 | It must be from 1 to 8192.
					reflector.sharding.count | 0    | It must be from 1 to the number of slots (64): each replica needs a slot.
					reflector.sharding.count | 65   | It must be from 1 to the number of slots (64): each replica needs a slot.
					reflector.sharding.index | -1   | It must not be negative.
					reflector.sharding.leases.lease-duration | 15500ms | It must be whole seconds.
					reflector.sharding.leases.lease-duration | 10s | It must be greater than the renew deadline (10000 ms).
					reflector.sharding.leases.renew-deadline | 2400ms | It must be greater than 1.2 times the retry period (2000 ms).
					reflector.sharding.leases.unowned-after  | 15s | It must be greater than the lease duration (15000 ms).
					reflector.sharding.leases.unowned-after  | 366d | It must be 365d at most.
					reflector.sharding.leases.group          | My Shop | It must be lower-case letters, digits and hyphens, as Kubernetes names are.
					reflector.sharding.leases.namespace      | a.b | It must be lower-case letters, digits and hyphens, as Kubernetes names are.
					reflector.sharding.leases.identity       | pod_1 | It must be lower-case letters, digits and hyphens, as Kubernetes names are.
					""")
	void tooMuchIsRefusedByName(String key, String value, String reason) {
		assertThat(refusal(key, value)).isEqualTo(reason);
	}

	@ParameterizedTest
	@CsvSource({ "true,true,PT1M,", "true,false,,PT1M", "false,true,,", "false,false,," })
	void eitherAStrictStartWaitsOrTheRunnerOrNothing(boolean waitForSync, boolean strict, Duration atStart,
			Duration inRunner) {
		ReflectorProperties.Startup startup = new ReflectorProperties.Startup(waitForSync, Duration.ofMinutes(1),
				strict);
		assertThat(startup.syncTimeout(true)).isEqualTo(atStart);
		assertThat(startup.syncTimeout(false)).isEqualTo(inRunner);
	}

	private static String refusal(String key, String value) {
		Binder binder = new Binder(List.of(new MapConfigurationPropertySource(Map.of(key, value))), null,
				ApplicationConversionService.getSharedInstance());
		Throwable failure = catchThrowable(() -> {
			if (key.startsWith("reflector.snapshot.")) {
				binder.bindOrCreate("reflector.snapshot", ReflectorSnapshotProperties.class);
			}
			else if (key.startsWith("reflector.leader-election.")) {
				binder.bindOrCreate("reflector.leader-election", ReflectorLeaderElectionProperties.class);
			}
			else if (key.startsWith("reflector.sharding.")) {
				binder.bindOrCreate("reflector.sharding", ReflectorShardingProperties.class);
			}
			else if (key.startsWith("reflector.writes.")) {
				binder.bindOrCreate("reflector.writes", ReflectorWritesProperties.class);
			}
			else {
				binder.bindOrCreate("reflector", ReflectorProperties.class);
			}
		});
		assertThat(failure).as(key).hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		InvalidConfigurationPropertyValueException refusal = (InvalidConfigurationPropertyValueException) NestedExceptionUtils
			.getMostSpecificCause(failure);
		assertThat(refusal.getName()).isEqualTo(key);
		return refusal.getReason();
	}

}
