package dev.reflector.integration;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import dev.reflector.ReflectorStatus.Durability;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.test.Backup;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.support.GenericApplicationContext;

import static org.awaitility.Awaitility.await;

/**
 * A server with three widgets, and applications with durable mirrors of them.
 */
abstract class DurableScenario extends WidgetScenario {

	/** The server before there was any widget. */
	Backup empty;

	@TempDir
	Path directory;

	@Override
	@BeforeEach
	void createWidgets() {
		this.empty = this.server.backup();
		super.createWidgets();
		create("c");
	}

	final Path file() {
		return this.directory.resolve("mirror.db");
	}

	/** Returns the properties that make mirrors durable, and further properties. */
	static String[] properties(Path file, String... more) {
		List<String> all = new ArrayList<>(List.of("reflector.snapshot.enabled=true",
				"reflector.snapshot.jdbc.file=" + file, "reflector.events.on-error=stop"));
		all.addAll(List.of(more));
		return all.toArray(String[]::new);
	}

	final MirrorApplication application(String... more) {
		return MirrorApplication.on(this.server, properties(file(), more));
	}

	/** An application that keeps its snapshot in PostgreSQL. */
	final MirrorApplication applicationWith(String database, String... more) {
		List<String> all = new ArrayList<>(
				List.of("reflector.api-server.url=" + this.server.url(), "reflector.snapshot.enabled=true",
						"reflector.snapshot.jdbc.initialize-schema=always", "reflector.events.on-error=stop"));
		all.addAll(List.of(more));
		return MirrorApplication.start((context) -> ((GenericApplicationContext) context).registerBean(DataSource.class,
				() -> PostgresServer.pool(database)), all.toArray(String[]::new));
	}

	/** Mirrors what there is, and stops. */
	final void mirrorOnce(String... more) {
		try (MirrorApplication application = application(more)) {
			application.awaitEqualTo(this.widgets);
			awaitStored(application);
		}
		this.server.clearRequests();
	}

	static void awaitStored(MirrorApplication application) {
		await().until(() -> {
			Durability snapshot = application.reflector.durability();
			return snapshot.behindSince() == null && snapshot.commitTook() != null;
		});
	}

	/** Returns the received events, without versions. */
	static List<String> kinds(MirrorApplication application) {
		return application.heard.events.stream()
			.filter((event) -> event.matches("[-+~].*"))
			.map((event) -> event.replaceAll("@\\d+", ""))
			.sorted()
			.toList();
	}

	final void change(String name, int size) {
		this.widgets.mergePatch("default", name, Map.of("spec", Map.of("size", size)));
	}

}
