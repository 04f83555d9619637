package dev.reflector.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import dev.reflector.ReflectorStatus;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.empty.Nothing;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.internal.registration.ReplicaDelivery;
import dev.reflector.autoconfigure.internal.registration.ShardDelivery;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.informer.SharedInformerBuilder;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.event.ShardsUnownedEvent;
import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.membership.ShardCallbacks;
import dev.reflector.sharding.membership.ShardMembership;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ReflectorShardingAutoConfiguration}, and of shares without Leases.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReflectorShardingAutoConfigurationTests {

	private final ApplicationContextRunner byLease = ReflectorContextRunners.withTypesNextTo(Widget.class)
		.withPropertyValues("reflector.sharding.enabled=true");

	private final ApplicationContextRunner runner = this.byLease
		.withPropertyValues("reflector.sharding.leases.enabled=false");

	@Test
	@Covers(in = ReflectorShardingAutoConfiguration.class,
			condition = "ConditionalOnBooleanProperty reflector.sharding.enabled", holds = false)
	void byDefaultNothingIsDivided() {
		ReflectorContextRunners.withTypesNextTo(Widget.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ShardMembership.class));
	}

	@Test
	@Covers(in = ReflectorShardingAutoConfiguration.class,
			condition = "ConditionalOnBooleanProperty reflector.sharding.leases.enabled", holds = false)
	void fixedSharesNeedNoLeases() {
		this.runner.withPropertyValues("reflector.sharding.count=2", "reflector.sharding.index=0")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ShardMembership.class));
	}

	@Test
	@Covers(in = ReflectorShardingAutoConfiguration.class, holds = true)
	@Covers(in = ReflectorShardingAutoConfiguration.class, condition = "ConditionalOnMissingBean ShardMembership",
			holds = false)
	void aChildSharesTheSlotsOfItsParent() {
		ApplicationContextRunner sharing = ReflectorContextRunners
			.withActuator(ReflectorContextRunners.withTypesNextTo(Nothing.class))
			.withPropertyValues("reflector.sharding.enabled=true", "reflector.sharding.assignment=dynamic",
					"reflector.sharding.leases.group=shop", "reflector.sharding.leases.namespace=apps",
					"reflector.api-server.url=http://127.0.0.1:1");
		sharing.run((parent) -> {
			assertThat(parent).hasNotFailed()
				.hasSingleBean(ShardMembership.class)
				.hasBean("reflectorShardMembershipMetrics")
				.hasBean("shardsHealthIndicator");
			sharing.withParent(parent).run((child) -> {
				assertThat(child).hasNotFailed();
				assertThat(child.getBeanFactory().getBeanDefinitionNames()).doesNotContain("reflectorShardMembership",
						"reflectorShardDelivery");
			});
		});
	}

	@Test
	void anApplicationHasEverythingByDefault() {
		ReflectorContextRunners.withTypesNextTo(Widget.class)
			.withPropertyValues("reflector.sharding.count=4", "HOSTNAME=shop")
			.run((context) -> assertThat(context.getBean("widgetReflector", Reflector.class).shard()).isNull());
	}

	@ParameterizedTest
	@CsvSource({ "shop-2, '', 2", "shop-2.shop.apps.svc, '', 2", "shop-2, 1, 1", "shop, 3, 3" })
	void theReplicaIsThatOfThePropertyOrOfTheHostName(String host, String index, int expected) {
		this.runner
			.withPropertyValues("HOSTNAME=" + host, "reflector.sharding.index=" + index, "reflector.sharding.count=4")
			.run((context) -> {
				ReflectorStatus.Shard shard = context.getBean("widgetReflector", Reflector.class).shard();
				assertThat(shard.index()).isEqualTo(expected);
				assertThat(shard.count()).isEqualTo(4);
				assertThat(shard.selector())
					.startsWith("shardRange(object.metadata.uid, '0x" + Integer.toHexString(expected * 4));
			});
	}

	@Test
	void theOnlyReplicaHasEverything() {
		this.runner.withPropertyValues("HOSTNAME=shop-0", "reflector.sharding.count=1")
			.run((context) -> assertThat(context.getBean("widgetReflector", Reflector.class).shard()).isNull());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					shop-0 |   |   | Sharding needs the number of replicas.
					shop   | 4 |   | Sharding needs to know which replica this is: 'reflector.sharding.index' is not set, and the host name 'shop' does not end with a number, as those of a StatefulSet do (shop-2).
					shop   | 1 |   | Sharding needs to know which replica this is: 'reflector.sharding.index' is not set, and the host name 'shop' does not end with a number, as those of a StatefulSet do (shop-2).
					shop-4 | 4 |   | The host name 'shop-4' is that of replica 4, counted from 0, but 'reflector.sharding.count' is 4.
					""")
	void whoIsWhichReplicaMustBeKnown(String host, String count, String index, String message) {
		this.runner
			.withPropertyValues("HOSTNAME=" + host, "reflector.sharding.count=" + ((count != null) ? count : ""),
					"reflector.sharding.index=" + ((index != null) ? index : ""))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.satisfies((failure) -> assertThat(reported(failure, context.getStartupFailure())).isEqualTo(message)));
	}

	/**
	 * Returns the message of the configuration failure, whose cause may be another
	 * failure.
	 */
	private static String reported(Throwable root, Throwable failure) {
		for (Throwable current = failure; current != null; current = current.getCause()) {
			if (current instanceof ReflectorConfigurationException) {
				return current.getMessage();
			}
		}
		return root.getMessage();
	}

	@Test
	void anIndexBeyondTheLastReplicaIsRefused() {
		this.runner.withPropertyValues("reflector.sharding.count=4", "reflector.sharding.index=4")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, (failure) -> {
					assertThat(failure.getName()).isEqualTo("reflector.sharding.index");
					assertThat(failure.getReason())
						.isEqualTo("It is counted from 0, so it must be less than the number of replicas (4).");
				}));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					count=4,index=0 | needs an API server for the Leases of the replicas
					count=4,index=0,leases.group=shop,URL | Sharding needs a namespace for the Leases of the replicas
					count=4,index=0,leases.namespace=apps,URL | Sharding needs a name for the group of replicas
					leases.group=shop,leases.namespace=apps,URL | Sharding needs the number of replicas
					assignment=dynamic,leases.enabled=false | replicas find each other by their Leases, but Leases are switched off
					""")
	void whatLeasesNeedMustBeThere(String settings, String message) {
		String[] properties = Stream.of(settings.split(",")).map((setting) -> switch (setting) {
			case "URL" -> "reflector.api-server.url=http://127.0.0.1:1";
			case "CLIENT_GO" -> "reflector.compatibility=client-go";
			default -> "reflector.sharding." + setting;
		}).toArray(String[]::new);
		this.byLease.withPropertyValues("HOSTNAME=shop")
			.withPropertyValues(properties)
			.run((context) -> assertThat(reported(new IllegalStateException(), context.getStartupFailure()))
				.contains(message));
	}

	@Test
	void withoutItsAutoConfigurationNothingIsDivided() {
		this.byLease.withPropertyValues("reflector.sharding.count=4")
			.withBean(ShardMembership.class, () -> null, (definition) -> definition.setLazyInit(true))
			.run((context) -> assertThat(reported(new IllegalStateException(), context.getStartupFailure()))
				.contains("ReflectorShardingAutoConfiguration is missing"));
	}

	@Test
	void theReplicaOfAGroupIsNamedAfterTheHost() {
		this.byLease
			.withPropertyValues("reflector.sharding.assignment=dynamic", "HOSTNAME=shop-7d9f.apps",
					"reflector.sharding.leases.namespace=apps", "spring.application.name=The Shop",
					"reflector.api-server.url=http://127.0.0.1:1")
			.run((context) -> {
				ShardMembership membership = context.getBean(ShardMembership.class);
				assertThat(membership.identity()).isEqualTo("shop-7d9f-apps");
				assertThat(membership.group()).isEqualTo("apps/the-shop");
				assertThat(membership.slots().count()).isEqualTo(64);
				assertThat(context.getBean("widgetReflector", Reflector.class).shard().slots().delivered()).isZero();
			});
	}

	@Test
	void aListenerOfSlotsIsNamedAfterTheThresholdOfSlowListeners(CapturedOutput output) {
		ReflectorContextRunners.withTypesNextTo(Nothing.class)
			.withPropertyValues("reflector.sharding.enabled=true", "reflector.sharding.assignment=dynamic",
					"reflector.sharding.leases.group=shop", "reflector.sharding.leases.namespace=apps",
					"reflector.sharding.leases.unowned-after=62s", "reflector.sharding.leases.lease-duration=61s",
					"reflector.sharding.leases.renew-deadline=60s", "reflector.events.slow-listener-threshold=10ms",
					"reflector.api-server.url=http://127.0.0.1:1")
			.withBean("hanging", UnownedListener.class,
					() -> (event) -> await()
						.until(() -> output.getOut().contains("is still busy with ShardsUnownedEvent[1]")))
			.run((context) -> {
				context.getBean(ShardDelivery.class).onUnowned(Set.of(1));
				assertThat(output).contains("The listener hanging is still busy with ShardsUnownedEvent[1]");
			});
	}

	/** Otherwise the slot would not begin again when the replica acquires it again. */
	@Test
	void aReflectorThatIsMadeWhileASlotIsHandedOverDoesNotBeginTheSlot() {
		withSlots(Nothing.class).run((context) -> {
			ShardDelivery delivery = context.getBean(ShardDelivery.class);
			delivery.onDesired(DesiredSlots.of(Set.of(1, 2)));
			delivery.onAcquired(1, 1);
			delivery.onAcquired(2, 1);
			delivery.onRelease(1, 1);
			try (SharedInformer<Widget> late = reflector(delivery)) {
				late.start();
				await().untilAsserted(() -> assertThat(late.shard().slots().delivered()).isPositive());
				assertThat(late.shard().slots().delivered()).isOne();
				delivery.onReleased(1, 1, ShardCallbacks.ReleaseReason.RELEASED);
				delivery.onAcquired(1, 2);
				await().untilAsserted(() -> assertThat(late.shard().slots().delivered()).isEqualTo(2));
			}
		});
	}

	@Test
	void aSlotDoesNotCountAsUndeliveredBecauseAChildContextIsClosed() {
		withSlots(Nothing.class).run((parent) -> {
			ShardDelivery delivery = parent.getBean(ShardDelivery.class);
			delivery.onDesired(DesiredSlots.of(Set.of(1)));
			delivery.onAcquired(1, 1);
			withSlots(Widget.class).withParent(parent).run((child) -> {
				assertThat(child).hasNotFailed();
				await().untilAsserted(() -> assertThat(delivery.undelivered()).containsOnlyKeys(1));
			});
			await().untilAsserted(() -> assertThat(delivery.undelivered()).isEmpty());
		});
	}

	private static ApplicationContextRunner withSlots(Class<?> type) {
		return ReflectorContextRunners.withTypesNextTo(type)
			.withPropertyValues("reflector.sharding.enabled=true", "reflector.sharding.assignment=dynamic",
					"reflector.sharding.leases.group=shop", "reflector.sharding.leases.namespace=apps",
					"reflector.api-server.url=http://127.0.0.1:1");
	}

	private static SharedInformer<Widget> reflector(ShardDelivery delivery) {
		ResourceAccessor<Widget> accessor = MetadataAccessor.forType(Widget.class);
		ReplicaDelivery.Part part = delivery.part();
		SharedInformerBuilder<Widget> builder = SharedInformer.builder("late",
				part.source("late", new InMemoryListerWatcher<Widget>(List.of()), accessor), accessor);
		part.deliver(builder);
		SharedInformer<Widget> informer = builder.build();
		delivery.add(informer);
		return informer;
	}

	/** No replica would deliver the shards of the replicas that are not the leader. */
	@Test
	void onlyTheLeaderDeliversIsRefused() {
		this.runner
			.withPropertyValues("reflector.sharding.count=4", "reflector.sharding.index=0",
					"reflector.leader-election.enabled=true", "reflector.leader-election.events=leader",
					"reflector.leader-election.name=shop", "reflector.leader-election.namespace=apps",
					"reflector.api-server.url=http://127.0.0.1:1")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(MutuallyExclusiveConfigurationPropertiesException.class,
						(exclusive) -> assertThat(exclusive.getConfiguredNames())
							.containsExactly("reflector.sharding.enabled", "reflector.leader-election.events")));
	}

	/** A bean whose type says what it listens to. */
	private interface UnownedListener extends ApplicationListener<ShardsUnownedEvent> {

	}

}
