package dev.reflector.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import dev.reflector.GenericResource;
import dev.reflector.Lister;
import dev.reflector.event.ResourceEvent;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that with {@code spring.threads.virtual.enabled}, reflectors use no separate
 * platform threads, and do not block each other.
 */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads need Java 21")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualThreadsIntegrationTests {

	private static final int REFLECTORS = 30;

	/** Threads that only one reflector uses. */
	private static final Pattern OWN = Pattern.compile("reflector-thing\\d+s.*");

	private static final int CHANGES = 20;

	@Test
	void manyReflectorsTakeNoThreadsOfThePlatform() {
		List<Integer> numbers = IntStream.range(0, REFLECTORS).boxed().toList();
		EmbeddedApiServer.Builder builder = EmbeddedApiServer.builder();
		numbers.forEach((i) -> builder.type("example.com/v1", "Thing" + i, "thing" + i + "s", true));
		try (EmbeddedApiServer server = builder.start()) {
			numbers.forEach((i) -> create(server, i, "first"));
			List<String> arguments = new ArrayList<>(List.of("--spring.threads.virtual.enabled=true",
					"--reflector.api-server.url=" + server.url(), "--spring.reactor.netty.shutdown-quiet-period=0s"));
			for (int i : numbers) {
				String prefix = "--reflector.resources.thing" + i + "s.";
				arguments.addAll(List.of(prefix + "api-version=example.com/v1", prefix + "kind=Thing" + i,
						prefix + "plural=thing" + i + "s"));
			}
			Listener listener;
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.run(arguments.toArray(String[]::new))) {
				listener = context.getBean(Listener.class);
				await().untilAsserted(() -> assertThat(listener.heard).hasSize(REFLECTORS));
				assertThat(ownThreads()).isEmpty();
				assertThat(listener.virtual).containsOnly(true);

				// one whose listener does not return holds up no other one
				create(server, 0, "blocking");
				await().until(() -> listener.blocked.getCount() == 0);
				for (int change = 1; change <= CHANGES; change++) {
					int size = change;
					numbers.stream()
						.skip(1)
						.forEach((i) -> server.resources("thing" + i + "s")
							.mergePatch("default", "first", Map.of("spec", Map.of("size", size))));
				}
				await().untilAsserted(() -> numbers.stream()
					.skip(1)
					.forEach((i) -> assertThat(listener.heard.get("thing" + i + "s")).last().isEqualTo(CHANGES)));
				numbers.stream().skip(1).forEach((i) -> assertThat(listener.heard.get("thing" + i + "s")).isSorted());
				assertThat(context.getBean("thing0sLister", Lister.class).size()).isEqualTo(2);
				listener.goOn.countDown();
			}
			await().until(() -> server.activeWatches() == 0);
		}
	}

	private static void create(EmbeddedApiServer server, int type, String name) {
		server.resources("thing" + type + "s")
			.create(Map.of("metadata", Map.of("name", name), "spec", Map.of("size", 0)));
	}

	private static List<String> ownThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> OWN.matcher(name).matches())
			.toList();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage(basePackages = "com.example.nothing")
	@Import(Listener.class)
	static class Application {

	}

	static class Listener {

		final Map<String, List<Integer>> heard = new ConcurrentHashMap<>();

		final List<Boolean> virtual = new CopyOnWriteArrayList<>();

		final CountDownLatch blocked = new CountDownLatch(1);

		final CountDownLatch goOn = new CountDownLatch(1);

		@EventListener
		void on(ResourceEvent<GenericResource> event) throws ReflectiveOperationException, InterruptedException {
			if (event.key().name().equals("blocking")) {
				this.blocked.countDown();
				this.goOn.await();
			}
			this.virtual.add((Boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread()));
			this.heard.computeIfAbsent(event.reflectorName(), (name) -> new CopyOnWriteArrayList<>())
				.add(event.resource().content().path("spec").path("size").asInt());
		}

	}

}
