package dev.reflector.cache.informer;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import dev.reflector.ResourceKey;
import dev.reflector.cache.config.ListSettings.InitialList;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.SkippedObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An accessor of the application may throw something that quotes the object.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class QuotingAccessorTests {

	private static final ResourceAccessor<Thing> QUOTING = new ResourceAccessor<>() {

		@Override
		public ResourceKey key(Thing object) {
			if (!object.payload().isEmpty()) {
				throw new IllegalArgumentException("not " + object.payload());
			}
			return ResourceKey.of("default", object.name());
		}

		@Override
		public String resourceVersion(Thing object) {
			return object.version();
		}

	};

	@Test
	void whatItQuotesIsNotShown(CapturedOutput output) throws Exception {
		ScriptedSource source = new ScriptedSource();
		Thing secret = Thing.of("default", "a", "1", "s3cret");
		Queue<String> reasons = new ConcurrentLinkedQueue<>();
		try (SharedInformer<Thing> informer = SharedInformer.builder("things", source, QUOTING)
			.options(ReflectorOptions.builder().initialList(InitialList.LIST).build())
			.observer(new ReflectorObserver() {

				@Override
				public void skipped(SkippedObject object) {
					reasons.add(object.reason());
				}

			})
			.build()) {
			source.answer("7", Thing.of("b", "1"), secret);
			informer.start();
			source.nextWatch().added(secret).modified(secret);
			await().until(() -> reasons.size() == 3);
			assertThat(List.copyOf(reasons))
				.containsOnly("its metadata could not be read: java.lang.IllegalArgumentException");
			source.answer("7", Thing.of("b", "1"), secret);
			assertThat(informer.verify().toCompletableFuture().get(30, TimeUnit.SECONDS).toString())
				.doesNotContain("s3cret");
			assertThat(informer.status().toString()).doesNotContain("s3cret");
		}
		assertThat(output).doesNotContain("s3cret");
	}

}
