package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.reflector.cache.config.ListSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.MetadataAccessor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class SharedInformerBuilderTests {

	private final ScriptedSource source = new ScriptedSource();

	private SharedInformerBuilder<Thing> builder(String name) {
		return SharedInformer.builder(name, this.source, MetadataAccessor.forType(Thing.class));
	}

	@Test
	void byDefaultAnInformerHasItsOwnTimerAndThreads() throws Exception {
		List<Thread> before = threads("reflector-timer");
		SharedInformer<Thing> informer = builder("own")
			.options(ReflectorOptions.builder()
				.initialList(ListSettings.InitialList.LIST)
				.verifyPeriod(Duration.ofHours(1))
				.build())
			.build();
		this.source.answer("7", Thing.of("a", "1"));
		informer.start();
		assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
		assertThat(informer.lister().list()).extracting(Thing::name).containsExactly("a");
		assertThat(informer.namespaces()).isEmpty();
		assertThat(informer.resourceType()).hasToString("own");
		List<Thread> timers = new ArrayList<>(threads("reflector-timer"));
		timers.removeAll(before);
		assertThat(timers).hasSize(1).allMatch(Thread::isDaemon);
		assertThat(threads("reflector-own-store")).hasSize(1).allMatch(Thread::isDaemon);
		informer.close();
		informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
		await().untilAsserted(() -> assertThat(timers).noneMatch(Thread::isAlive));
	}

	@Test
	void anEmptyNameStandsForAllNamespaces() throws Exception {
		SharedInformer<Thing> informer = builder("all").namespaces(List.of("default", ""))
			.options(ReflectorOptions.builder().initialList(ListSettings.InitialList.LIST).build())
			.build();
		this.source.answer("7", Thing.of("a", "1"), Thing.of("b", "2"));
		informer.start();
		ScriptedSource.Stream watch = this.source.nextWatch();
		this.source.answer("9", Thing.of("a", "1"));
		watch.error(410, "Expired");
		await().untilAsserted(() -> assertThat(informer.lister().list()).extracting(Thing::name).containsExactly("a"));
		assertThat(informer.namespaces()).isEmpty();
		assertThat(this.source.lists).extracting(ListOptions::namespace).containsOnlyNulls();
		informer.close();
	}

	@Test
	void anInformerThatNeverRanCanBeClosed() {
		SharedInformer<Thing> informer = builder("never").build();
		informer.close();
		assertThat(informer.hasSynced()).isFalse();
	}

	private static List<Thread> threads(String name) {
		return Thread.getAllStackTraces().keySet().stream().filter((thread) -> thread.getName().equals(name)).toList();
	}

}
