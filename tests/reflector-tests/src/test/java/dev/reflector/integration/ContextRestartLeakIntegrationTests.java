package dev.reflector.integration;

import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.Rounds;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.restarted.RestartedApplication;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.OverridingClassLoader;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that is started and closed again and again leaves no threads, no
 * connections and no reference to itself or its class loader. The class loader loads the
 * classes of the application again each time: the mirrored one, the listeners and the
 * configuration. {@code -Dtests.restarts=N} starts and closes it N times.
 */
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContextRestartLeakIntegrationTests {

	private static final int RESTARTS = Math.max(12, Integer.getInteger("tests.restarts", LongForm.times(20, 12)));

	/**
	 * After this many restarts, pools that outlive an application have their full size.
	 */
	private static final int WARM_UP = LongForm.times(10, 6);

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private EmbeddedApiServer server;

	private ResourceCollection widgets;

	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start();
		this.widgets = this.server.resources("widgets");
		this.widgets.create(Map.of("metadata", Map.of("name", "a"), "spec", Map.of("size", 1)));
	}

	@AfterEach
	void closeServer() {
		this.server.close();
	}

	@Test
	void closedApplicationsLeaveNothingBehind() {
		List<WeakReference<Object>> remains = new ArrayList<>();
		// contexts of other tests are still there
		Set<Long> others = ids(threads());
		Set<Long> before = Set.of();
		long descriptors = 0;
		Rounds rounds = Rounds.of(RESTARTS);
		List<WeakReference<Object>> last = List.of();
		int restarts = 0;
		for (; rounds.goOn(restarts); restarts++) {
			if (restarts == WARM_UP) {
				before = ids(threads());
				descriptors = openDescriptors();
			}
			// threads that outlive the first applications may hold them, and a stack may
			// hold the last one
			if (restarts > WARM_UP) {
				remains.addAll(last);
			}
			last = startAndClose();
		}
		Set<Long> known = before;
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(
					threads().stream().filter((thread) -> !known.contains(thread.getId())).map(Thread::getName))
				.as("threads that were not there after %s restarts", WARM_UP)
				.isEmpty());
		// a thread that was about to end when the threads were counted must have ended,
		// too
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(threads()).filteredOn((thread) -> !others.contains(thread.getId()))
				.extracting(Thread::getName)
				.noneMatch((name) -> name.startsWith("reflector-widgets") || name.startsWith("reflector-keep-alive")));
		await().atMost(PATIENCE).until(() -> this.server.activeWatches() == 0 && this.server.activeConnections() == 0);
		await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
			forgetFactories();
			forgetStarters();
			System.gc();
			assertThat(remains).filteredOn((reference) -> reference.get() != null)
				.as("contexts and class loaders that are held")
				.isEmpty();
		});
		// both ends of a connection are in this process: a leak for each restart would be
		// twice as many
		long allowed = descriptors + restarts - WARM_UP;
		await().atMost(PATIENCE).until(() -> openDescriptors() < allowed);
	}

	private List<WeakReference<Object>> startAndClose() {
		Thread thread = Thread.currentThread();
		ClassLoader former = thread.getContextClassLoader();
		ClassLoader own = new ApplicationClassLoader();
		thread.setContextClassLoader(own);
		try (ConfigurableApplicationContext context = start(own)) {
			Map<String, Object> seen = seen(context);
			// compares keys only: a failure would call toString() of the objects, and the
			// JDK keeps the class of the last record whose toString() was called
			await().untilAsserted(() -> assertThat(List.copyOf(seen.keySet())).containsExactlyInAnyOrder("listener",
					"condition", "index", "handler"));
			Class<?> mirrored = seen.get("listener").getClass();
			assertThat(mirrored.getClassLoader()).isSameAs(own).isSameAs(context.getClassLoader());
			return List.of(new WeakReference<>(context), new WeakReference<>(context.getBean("widgetReflector")),
					new WeakReference<>(mirrored), new WeakReference<>(own));
		}
		finally {
			thread.setContextClassLoader(former);
		}
	}

	private ConfigurableApplicationContext start(ClassLoader loader) {
		Class<?> source = ClassUtils.resolveClassName(RestartedApplication.class.getName(), loader);
		SpringApplication application = new SpringApplication(new DefaultResourceLoader(loader), source);
		application.setWebApplicationType(WebApplicationType.NONE);
		return application.run("--reflector.api-server.url=" + this.server.url(),
				"--reflector.startup.wait-for-sync=false", "--spring.reactor.netty.shutdown-quiet-period=0s",
				"--spring.main.banner-mode=off", "--" + UnrelatedAutoConfigurations.EXCLUDED);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> seen(ConfigurableApplicationContext context) {
		return ((Supplier<Map<String, Object>>) context.getBean("restartedApplication")).get();
	}

	/** Spring keeps the factories of a class loader until memory gets scarce. */
	private static void forgetFactories() {
		Map<?, ?> cache = (Map<?, ?>) ReflectionTestUtils.getField(SpringFactoriesLoader.class, "cache");
		assertThat(cache).isNotNull();
		cache.clear();
	}

	/** A shared thread keeps the class loader of the application that has started it. */
	private static void forgetStarters() {
		Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter(ContextRestartLeakIntegrationTests::isShared)
			.forEach((thread) -> thread
				.setContextClassLoader(ContextRestartLeakIntegrationTests.class.getClassLoader()));
	}

	/**
	 * Whether all applications share the thread. Such threads are bounded in number, and
	 * end minutes after their last task.
	 */
	private static boolean isShared(Thread thread) {
		return thread.getName().startsWith("boundedElastic") || thread.getName().startsWith("ForkJoinPool.commonPool");
	}

	private static Set<Long> ids(List<Thread> threads) {
		return threads.stream().map(Thread::getId).collect(Collectors.toSet());
	}

	private static List<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			// without the threads of the test and of the JVM, which come and go
			.filter((thread) -> thread.getThreadGroup() != null && !thread.getThreadGroup().getName().equals("system"))
			.filter((thread) -> !thread.getName().startsWith("awaitility"))
			.filter((thread) -> !isShared(thread))
			.toList();
	}

	private static long openDescriptors() {
		Assumptions.assumeTrue(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean);
		return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
	}

	/** Shares the libraries with all others, and loads the application itself. */
	private static final class ApplicationClassLoader extends OverridingClassLoader {

		private static final String PREFIX = RestartedApplication.class.getPackageName() + ".";

		private ApplicationClassLoader() {
			super(RestartedApplication.class.getClassLoader());
		}

		@Override
		protected boolean isEligibleForOverriding(String className) {
			return className.startsWith(PREFIX);
		}

	}

}
