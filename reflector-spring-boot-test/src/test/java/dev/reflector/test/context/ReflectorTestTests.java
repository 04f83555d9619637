package dev.reflector.test.context;

import java.time.Duration;
import java.util.Map;

import com.example.widgets.Stock;
import com.example.widgets.Widget;
import com.example.widgets.WidgetApplication;
import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.core.env.Environment;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.reactive.DispatcherHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ReflectorTest}.
 */
@ReflectorTest(manualTime = true, properties = "some.key=some value",
		types = @ServedResource(apiVersion = "v1", kind = "Pod", plural = "pods"),
		includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Stock.class))
@ContextConfiguration(classes = WidgetApplication.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReflectorTestTests {

	@Autowired
	private ApplicationContext context;

	@Autowired
	private EmbeddedApiServer server;

	@Autowired
	private Reflector<Widget> reflector;

	@Autowired
	private Lister<Widget> widgets;

	@Autowired
	private ReflectorProbe probe;

	@Test
	void loadsReflectorsAndNothingElse(@Autowired Environment environment) {
		assertThat(this.context).isNotInstanceOf(WebApplicationContext.class);
		assertThat(this.context.getBeanProvider(DispatcherHandler.class).stream()).isEmpty();
		assertThat(this.context.getBeanProvider(TaskSchedulingAutoConfiguration.class).stream()).isEmpty();
		assertThat(environment.getProperty("some.key")).isEqualTo("some value");
		assertThat(this.server.resources("pods").size()).isZero();
	}

	@Test
	void includesComponentsThatAreNamed(@Autowired Stock stock) {
		this.server.resources("widgets").create(Map.of("metadata", Map.of("name", "a"), "spec", Map.of("size", 4)));
		this.probe.awaitCaughtUp();
		assertThat(stock.total()).isEqualTo(4);
	}

	@Test
	void timeStandsStill(@Autowired TimeSource time) {
		assertThat(time).isInstanceOf(ManualTimeSource.class);
		assertThat(this.reflector.status().lastListAt()).isEqualTo(time.now());
	}

	@Test
	void aFailedWaitReportsTheKnownState() {
		this.server.resources("widgets").create(Map.of("metadata", Map.of("name", "a"), "spec", Map.of("size", 4)));
		this.server.resources("widgets").create(Map.of("metadata", Map.of("name", "b"), "spec", Map.of("size", "x")));
		this.probe.awaitCaughtUp();
		String version = this.server.resourceVersion();
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.probe.within(Duration.ofMillis(50))
				.awaitAdded(Widget.class, (event) -> event.key().name().equals("b")))
			.withMessageStartingWith("Timed out after 50ms waiting for an addition of Widget that matches.")
			.withMessageContaining("widgets (example.com/v1 Widget): WATCHING, synced, resource version '" + version
					+ "', 1 objects, 0 queued, last error: UnreadableObject: ")
			.withMessageContaining("\nEvents recorded: 1\n  ResourceAddedEvent[widgets default/a @ ");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.probe.within(Duration.ofMillis(1)).awaitResourceVersion(this.reflector, "999999999"))
			.withMessageContaining("reflector 'widgets' to reach resource version 999999999");
		this.probe.awaitSynced();
		this.probe.awaitSynced(this.reflector);
		this.probe.awaitResourceVersion(this.reflector, version);
		assertThat(this.widgets.size()).isEqualTo(1);
	}

}
