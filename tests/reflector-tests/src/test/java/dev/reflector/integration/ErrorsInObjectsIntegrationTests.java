package dev.reflector.integration;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.cache.config.ListSettings.InitialList;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.TransformFunction;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Errors, which are no exceptions, from code of the application: an error about one
 * object skips that object, and after an error of the virtual machine the reflector tries
 * again.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ErrorsInObjectsIntegrationTests extends WidgetServer {

	private static final MetadataAccessor<Fragile> ACCESSOR = MetadataAccessor.forType(Fragile.class);

	private static final ResourceType TYPE = ResourceType.of("example.com/v1", "Widget", "widgets");

	/** The action of the constructor, with the name of the object. */
	private static volatile Consumer<String> constructor = (name) -> {
	};

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private @Nullable SharedInformer<Fragile> informer;

	@AfterEach
	void stop() {
		constructor = (name) -> {
		};
		if (this.informer != null) {
			this.informer.stop().toCompletableFuture().join();
		}
		this.threads.shutdownNow();
	}

	private SharedInformer<Fragile> start(InitialList initialList, @Nullable Consumer<String> transform,
			Map<String, IndexFunction<Fragile>> indexes) {
		ListerWatcher<Fragile> source = ApiServerClient
			.builder(new ApiServer(this.server.url(), null, TokenSource.none(), "test"))
			.build()
			.listerWatcher(Fragile.class, ACCESSOR, TYPE, "", "");
		if (transform != null) {
			TransformFunction<Fragile> function = (object) -> {
				transform.accept(object.metadata().name());
				return object;
			};
			source = ListerWatcher.transformed(source, function, ACCESSOR);
		}
		BackoffSettings backoff = new BackoffSettings(Duration.ofMillis(20), Duration.ofMillis(100), 2, 0,
				Duration.ofSeconds(5));
		SharedInformer<Fragile> informer = SharedInformer.builder("widgets", source, ACCESSOR)
			.resourceType(TYPE)
			.options(ReflectorOptions.builder().initialList(initialList).backoff(backoff).build())
			.time(new SystemTimeSource())
			.random(new Random(1))
			.threads(this.threads)
			.build();
		informer.addIndexers(indexes);
		informer.start();
		this.informer = informer;
		return informer;
	}

	private static Consumer<String> failing(String name, Error error) {
		return (object) -> {
			if (object.equals(name)) {
				throw error;
			}
		};
	}

	private static Consumer<String> failingOnce(String name, Error error) {
		AtomicInteger calls = new AtomicInteger();
		return (object) -> {
			if (object.equals(name) && calls.getAndIncrement() == 0) {
				throw error;
			}
		};
	}

	private static List<String> names(SharedInformer<Fragile> informer) {
		Lister<Fragile> lister = informer.lister();
		return lister.list().stream().map((object) -> object.metadata().name()).sorted().toList();
	}

	private static void awaitNames(SharedInformer<Fragile> informer, String... names) {
		await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(names(informer)).containsExactly(names));
	}

	/** The errors, for each place and each way to get the first state. */
	static Stream<Arguments> errors() {
		List<Error> errors = List.of(new NoClassDefFoundError("com/example/Gone"), new StackOverflowError(),
				new AssertionError("not so"), new NotImplementedError());
		return errors.stream()
			.flatMap((error) -> Stream.of(InitialList.LIST, InitialList.STREAM)
				.flatMap((initial) -> Stream.of(true, false).map((transform) -> arguments(error, initial, transform))));
	}

	@ParameterizedTest
	@MethodSource("errors")
	void errorAboutAnObjectSkipsThatObject(Error error, InitialList initialList, boolean transform) {
		create("a");
		create("b");
		create("c");
		Consumer<String> fault = failing("b", error).andThen(failing("e", error));
		constructor = transform ? constructor : fault;
		SharedInformer<Fragile> informer = start(initialList, transform ? fault : null, Map.of());
		awaitNames(informer, "a", "c");
		await().until(() -> this.server.activeWatches() == 1);
		create("d");
		create("e");
		create("f");
		awaitNames(informer, "a", "c", "d", "f");
		assertThat(informer.state()).isEqualTo(ReflectorState.WATCHING);
		assertThat(informer.status().counts().lists() + informer.status().counts().watches()).isLessThanOrEqualTo(2);
		assertThat(informer.status().counts().errors()).isEqualTo(2);
	}

	@ParameterizedTest
	@MethodSource("errors")
	void errorOfAnIndexFunctionConcernsThatObject(Error error, InitialList initialList, boolean late) {
		create("a");
		create("b");
		Consumer<String> fault = failing(late ? "c" : "a", error);
		SharedInformer<Fragile> informer = start(initialList, null, Map.of("name", (object) -> {
			fault.accept(object.metadata().name());
			return List.of(object.metadata().name());
		}));
		awaitNames(informer, "a", "b");
		create("c");
		awaitNames(informer, "a", "b", "c");
		assertThat(informer.lister().indexValues("name")).containsExactlyInAnyOrder(late ? "a" : "c", "b");
	}

	@ParameterizedTest
	@EnumSource(value = InitialList.class, names = { "LIST", "STREAM" })
	void anErrorOfTheVirtualMachineInTheFirstListIsRetried(InitialList initialList) {
		create("a");
		create("b");
		SharedInformer<Fragile> transformed = start(initialList, failingOnce("b", new OutOfMemoryError("test")),
				Map.of());
		awaitNames(transformed, "a", "b");
		assertThat(transformed.status().counts().errors()).isEqualTo((initialList == InitialList.LIST) ? 1 : 0);
		stopNow(transformed);
		constructor = failingOnce("b", new OutOfMemoryError("test"));
		SharedInformer<Fragile> constructed = start(initialList, null, Map.of());
		awaitNames(constructed, "a", "b");
	}

	private static void stopNow(SharedInformer<Fragile> informer) {
		informer.stop().toCompletableFuture().join();
	}

	@ParameterizedTest
	@EnumSource(value = InitialList.class, names = { "LIST", "STREAM" })
	void anErrorOfTheVirtualMachineInAWatchIsRetried(InitialList initialList) {
		create("a");
		Consumer<String> fault = failingOnce("b", new OutOfMemoryError("test"));
		constructor = failingOnce("c", new OutOfMemoryError("test"));
		SharedInformer<Fragile> informer = start(initialList, fault, Map.of());
		awaitNames(informer, "a");
		await().until(() -> this.server.activeWatches() == 1);
		create("b");
		awaitNames(informer, "a", "b");
		assertThat(informer.status().lastError()).isNotNull()
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo("OutOfMemoryError"));
		await().until(() -> informer.state() == ReflectorState.WATCHING && this.server.activeWatches() == 1);
		create("c");
		awaitNames(informer, "a", "b", "c");
		assertThat(informer.lister().get(ResourceKey.of("default", "c"))).isNotNull();
	}

	record Fragile(ObjectMeta metadata) {

		Fragile {
			constructor.accept(metadata.name());
		}

	}

	/**
	 * Like Kotlin's error of this name, which is neither an assertion error nor a linkage
	 * error.
	 */
	static final class NotImplementedError extends Error {

		private static final long serialVersionUID = 1L;

	}

}
