package dev.reflector.cache;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import dev.reflector.ResourceType;
import dev.reflector.cache.ReflectorOptions.InitialList;
import dev.reflector.cache.ReflectorOptions.Ordering;

/**
 * An informer of things, with a script for a server and time that stands still.
 */
final class TestInformer {

	final ManualTime time = new ManualTime();

	final ScriptedSource source = new ScriptedSource();

	final ExecutorService threads = Executors.newCachedThreadPool();

	final SharedInformer<Thing> informer;

	TestInformer(ReflectorOptions options, ReflectorObserver observer, List<ResourceEventHandler<Thing>> handlers,
			String... namespaces) {
		this.informer = new SharedInformer<>(
				new SharedInformer.Config<>("things", ResourceType.of("example.com/v1", "Thing", "things"),
						List.of(namespaces), this.source, MetadataAccessor.forType(Thing.class), options, Map.of(),
						handlers, observer, this.time, new Random(1), this.threads));
	}

	static TestInformer with(ReflectorOptions options, String... namespaces) {
		return new TestInformer(options, ReflectorObserver.NONE, List.of(), namespaces);
	}

	static ReflectorOptions options(Ordering ordering, int capacity) {
		return ReflectorOptions.builder()
			.initialList(InitialList.LIST)
			.ordering(ordering)
			.queueCapacity(capacity)
			.build();
	}

	static ReflectorOptions options() {
		return options(Ordering.ARRIVAL, 100);
	}

	/** Starts with a list, and gives the watch that follows. */
	ScriptedSource.Stream startWith(String version, Thing... things) throws InterruptedException {
		this.source.answer(version, things);
		this.informer.start();
		return this.source.nextWatch();
	}

	void stop() throws Exception {
		this.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
	}

	List<String> mirror() {
		return this.informer.lister().list().stream().map(Thing::toString).sorted().toList();
	}

	void close() throws Exception {
		stop();
		this.threads.shutdownNow();
	}

}
