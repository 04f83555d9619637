package dev.reflector.test.context;

import java.util.Map;

import com.example.widgets.Widget;
import com.example.widgets.WidgetApplication;
import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Contexts that the test framework keeps, and pauses while tests use others.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContextCachingTests {

	@Test
	void oneContextServesTestClassesWithTheSameConfiguration() throws Exception {
		First first = run(new First());
		Second second = run(new Second());
		assertThat(second.context).isSameAs(first.context);
		assertThat(second.reflector).isSameAs(first.reflector);
		await().until(second.reflector::hasSynced);
	}

	@Test
	void aContextThatWasNotUsedMeanwhileFollowsItsServerAgain() throws Exception {
		First first = run(new First());
		first.server.reset();
		Other other = run(new Other());
		other.server.reset();
		assertThat(other.context).isNotSameAs(first.context);
		assertThat(other.reflector).isNotSameAs(first.reflector);
		other.server.resources("widgets").create(Map.of("metadata", Map.of("name", "of-the-other"), "spec", Map.of()));
		await().until(() -> other.widgets.get("default", "of-the-other") != null);
		assertThat(first.reflector.state()).as("paused").isEqualTo(ReflectorState.STOPPED);
		first.server.resources("widgets").create(Map.of("metadata", Map.of("name", "meanwhile"), "spec", Map.of()));
		First again = run(new First());
		assertThat(again.context).isSameAs(first.context);
		assertThat(again.reflector).isSameAs(first.reflector);
		assertThat(again.context.isRunning()).isTrue();
		await().until(() -> again.widgets.get("default", "meanwhile") != null);
		assertThat(again.widgets.get("default", "of-the-other")).isNull();
		again.server.resources("widgets").create(Map.of("metadata", Map.of("name", "later"), "spec", Map.of()));
		await().until(() -> again.widgets.get("default", "later") != null);
	}

	private static <T> T run(T test) throws Exception {
		TestContextManager manager = new TestContextManager(test.getClass());
		manager.beforeTestClass();
		manager.prepareTestInstance(test);
		manager.afterTestClass();
		return test;
	}

	/** A test class with injected beans. */
	abstract static class Mirroring {

		@Autowired
		ConfigurableApplicationContext context;

		@Autowired
		EmbeddedApiServer server;

		@Autowired
		Reflector<Widget> reflector;

		@Autowired
		Lister<Widget> widgets;

	}

	@ReflectorTest(properties = "some.key=caching")
	@ContextConfiguration(classes = WidgetApplication.class)
	static class First extends Mirroring {

	}

	@ReflectorTest(properties = "some.key=caching")
	@ContextConfiguration(classes = WidgetApplication.class)
	static class Second extends Mirroring {

	}

	@ReflectorTest(properties = "some.key=caching of another")
	@ContextConfiguration(classes = WidgetApplication.class)
	static class Other extends Mirroring {

	}

}
