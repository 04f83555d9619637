package dev.reflector.benchmark.application;

import java.net.URI;

import dev.reflector.benchmark.client.MirrorClient;
import dev.reflector.benchmark.client.Probe;
import dev.reflector.benchmark.server.Kind;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;

/**
 * A client that a bean of a Spring Boot application starts, when Spring has made all
 * beans: this project is measured in the same way. The application has Boot's plain
 * starter and nothing else.
 */
public final class ApplicationClient implements MirrorClient {

	private final MirrorClient client;

	/**
	 * Creates the client.
	 * @param client the one that the bean starts
	 */
	public ApplicationClient(MirrorClient client) {
		this.client = client;
	}

	@Override
	public void start(URI server, Kind kind, Probe probe) {
		run(() -> this.client.start(server, kind, probe));
	}

	@Override
	public void startMany(URI server, int mirrors) {
		run(() -> this.client.startMany(server, mirrors));
	}

	private static void run(Mirroring.Start start) {
		ApplicationContextInitializer<GenericApplicationContext> beans = (context) -> context
			.registerBean(Mirroring.class, () -> new Mirroring(start));
		new SpringApplicationBuilder(Application.class).initializers(beans)
			.properties("logging.level.root=warn", "spring.main.banner-mode=off")
			.run();
	}

	/** The application. */
	@SpringBootApplication(proxyBeanMethods = false)
	static class Application {

	}

}
