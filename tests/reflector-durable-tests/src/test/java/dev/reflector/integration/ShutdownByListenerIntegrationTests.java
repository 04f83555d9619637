package dev.reflector.integration;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.fixture.ClassArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Listeners that end the application, which must not wait for them: with these times, it
 * would for an hour.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShutdownByListenerIntegrationTests extends WidgetScenario {

	private static final String[] PATIENT = { "reflector.events.drain-timeout=1h",
			"spring.lifecycle.timeout-per-shutdown-phase=1h" };

	private static MirrorApplication start(String url, Ending ending) {
		return MirrorApplication.start((context) -> add((GenericApplicationContext) context, ending),
				Stream.concat(Stream.of(PATIENT), Stream.of("reflector.api-server.url=" + url)).toArray(String[]::new));
	}

	private static void add(GenericApplicationContext context, Ending ending) {
		context.registerBean("ending", Ending.class, () -> ending);
	}

	@Test
	void aListenerMayCloseItsContext() throws Exception {
		Ending ending = new Ending();
		MirrorApplication application = start(this.server.url().toString(), ending);
		ending.end.complete(application.context::close);
		ending.ended.get(60, TimeUnit.SECONDS);
		assertThat(application.context.isActive()).isFalse();
	}

	@Test
	void aListenerMayCloseItsContextWhichIsAChild() throws Exception {
		try (MirrorApplication application = MirrorApplication.on(this.server)) {
			Ending ending = new Ending();
			ConfigurableApplicationContext child = new SpringApplicationBuilder(Child.class).parent(application.context)
				.web(WebApplicationType.NONE)
				.bannerMode(Banner.Mode.OFF)
				.initializers((context) -> add((GenericApplicationContext) context, ending))
				.run(Stream.of(PATIENT).map((property) -> "--" + property).toArray(String[]::new));
			ending.end.complete(child::close);
			ending.ended.get(60, TimeUnit.SECONDS);
			assertThat(child.isActive()).isFalse();
		}
	}

	@Test
	void aListenerMayEndTheJvm() throws Exception {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		List<String> command = new ArrayList<>(List.of(java.toString()));
		// most of the classes are the same
		command.addAll(ClassArchive.of(DurableProcess::train).options());
		command.addAll(List.of(Main.class.getName(), this.server.url().toString()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		try {
			assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
			assertThat(process.exitValue()).isEqualTo(7);
		}
		finally {
			process.destroyForcibly();
		}
	}

	/** An application that ends with its first event. */
	static final class Main {

		public static void main(String[] args) {
			Ending ending = new Ending();
			ending.end.complete(() -> System.exit(7));
			start(args[0], ending);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Child {

	}

	/** Ends the application when the first object is delivered. */
	static final class Ending {

		final CompletableFuture<Runnable> end = new CompletableFuture<>();

		final CompletableFuture<Void> ended = new CompletableFuture<>();

		@EventListener
		void on(ResourceAddedEvent<Widget> event) {
			if (!this.ended.isDone()) {
				this.end.join().run();
				this.ended.complete(null);
			}
		}

	}

}
