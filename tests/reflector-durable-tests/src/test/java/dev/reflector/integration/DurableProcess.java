package dev.reflector.integration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import com.zaxxer.hikari.HikariDataSource;
import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ResourceKey;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.event.ResourceEvent;
import dev.reflector.fixture.ClassArchive;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.test.EmbeddedApiServer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.util.FileSystemUtils;

import static org.awaitility.Awaitility.await;

/**
 * An application with a durable mirror in its own JVM, and the lines that its listener
 * has printed before it returned. The lines are kept here, so that they are known after
 * the application was killed. It answers what its mirror has, and takes all connections
 * of its pool when it is asked to.
 */
final class DurableProcess implements AutoCloseable {

	/** The property with the release of the application, a {@link WidgetRelease.Name}. */
	static final String RELEASE = "release";

	private static final String EVENT = "event ";

	private static final String MIRROR = "mirror ";

	private static final String SLOW_DOWN = "slow-down";

	private static final String TAKE_CONNECTIONS = "take-connections";

	private static final String GIVE_CONNECTIONS_BACK = "give-connections-back";

	/** Lines such as {@code ADDED default/a 7}. */
	final List<String> events = new CopyOnWriteArrayList<>();

	private final List<String> output = new CopyOnWriteArrayList<>();

	private final Map<Integer, CompletableFuture<Mirror>> mirrors = new ConcurrentHashMap<>();

	private final AtomicInteger questions = new AtomicInteger();

	private final Process process;

	private final Writer input;

	private final Thread reader;

	private DurableProcess(Process process) {
		this.process = process;
		this.input = process.outputWriter();
		this.reader = new Thread(this::read, "output of " + process.pid());
		this.reader.setDaemon(true);
		this.reader.start();
	}

	/**
	 * Starts one.
	 * @param server the API server
	 * @param place where its snapshot is: a file, or the URL of a database
	 */
	static DurableProcess start(URI server, String place) throws Exception {
		return start(server, place, List.of());
	}

	/**
	 * Starts one with further properties.
	 * @param server the API server
	 * @param place where its snapshot is: a file, or the URL of a database
	 * @param more such as {@code --name=value}
	 */
	static DurableProcess start(URI server, String place, List<String> more) throws Exception {
		return start(ClassArchive.of(DurableProcess::train).options(), server, place, more);
	}

	private static DurableProcess start(List<String> options, URI server, String place, List<String> more)
			throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		List<String> command = new ArrayList<>(
				List.of(java.toString(), "-Xmx128m", "--enable-native-access=ALL-UNNAMED"));
		command.addAll(options);
		command.addAll(List.of(DurableProcess.class.getName(), "--reflector.api-server.url=" + server,
				"--reflector.snapshot.enabled=true",
				place.startsWith("jdbc:") ? "--database=" + place : "--reflector.snapshot.jdbc.file=" + place,
				"--reflector.snapshot.jdbc.initialize-schema=always", "--reflector.events.on-error=stop",
				"--reflector.startup.wait-for-sync=false"));
		command.addAll(more);
		return new DurableProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
	}

	/** Loads its classes: it mirrors a widget, and ends. */
	static void train(List<String> options) throws Exception {
		Path folder = Files.createTempDirectory("reflector-training");
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start();
				DurableProcess process = start(options, server.url(), folder.resolve("mirror.db").toString(),
						List.of())) {
			server.resources("widgets")
				.create(Map.of("metadata", Map.of("name", "a", "namespace", "default"), "spec", Map.of("size", 1)));
			await().atMost(Duration.ofSeconds(180)).until(() -> !process.events.isEmpty());
			process.end();
		}
		finally {
			FileSystemUtils.deleteRecursively(folder);
		}
	}

	private void read() {
		try (BufferedReader lines = this.process.inputReader()) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				this.output.add(line);
				if (line.startsWith(EVENT)) {
					this.events.add(line.substring(EVENT.length()));
				}
				else if (line.startsWith(MIRROR)) {
					answered(line.split(" "));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void answered(String[] words) {
		Map<String, String> objects = new TreeMap<>();
		for (int i = 3; i < words.length; i += 2) {
			objects.put(words[i], words[i + 1]);
		}
		this.mirrors.remove(Integer.parseInt(words[1])).complete(new Mirror(objects, Boolean.parseBoolean(words[2])));
	}

	/** Asks what is mirrored; completes exceptionally when the process has ended. */
	CompletableFuture<Mirror> mirror() {
		int number = this.questions.incrementAndGet();
		CompletableFuture<Mirror> mirror = new CompletableFuture<>();
		this.mirrors.put(number, mirror);
		try {
			ask(Integer.toString(number));
		}
		catch (IOException ex) {
			mirror.completeExceptionally(ex);
		}
		return mirror;
	}

	/** From now on, its listener needs a part of a second for each event. */
	void slowDown() throws IOException {
		ask(SLOW_DOWN);
	}

	/** Makes the process take all free connections of its pool. */
	void takeConnections() throws IOException {
		ask(TAKE_CONNECTIONS);
	}

	/** Makes the process return the taken connections, unless it has ended. */
	void giveConnectionsBack() throws IOException {
		if (this.process.isAlive()) {
			ask(GIVE_CONNECTIONS_BACK);
		}
	}

	private synchronized void ask(String question) throws IOException {
		this.input.write(question + "\n");
		this.input.flush();
	}

	/** Sends it a signal, such as {@code STOP}. */
	void signal(String name) throws IOException, InterruptedException {
		int status = new ProcessBuilder("kill", "-" + name, Long.toString(this.process.pid())).start().waitFor();
		if (status != 0) {
			throw new IOException("kill -" + name + " has failed with " + status);
		}
	}

	/** Ends the process as {@code kill -9} does. */
	void kill() throws InterruptedException {
		// the process itself would close its output
		this.process.toHandle().destroyForcibly();
		this.process.waitFor();
		this.reader.join();
	}

	/** Ends it as an operator does, and waits for the end. */
	void end() throws InterruptedException {
		this.process.toHandle().destroy();
		this.process.waitFor();
		this.reader.join();
	}

	/** The output of the process, to look at after a failure. */
	String output() {
		return String.join("\n", this.output);
	}

	/** Returns the log of the process. */
	String log() {
		return this.output.stream()
			.filter((line) -> !line.startsWith(EVENT) && !line.startsWith(MIRROR))
			.collect(Collectors.joining("\n"));
	}

	@Override
	public void close() {
		this.process.toHandle().destroyForcibly();
		this.process.onExit().join();
	}

	public static void main(String[] args) throws Exception {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.run(args);
		TakenConnections taken = new TakenConnections(context);
		BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String question = questions.readLine(); question != null; question = questions.readLine()) {
			switch (question) {
				case SLOW_DOWN -> context.getBean(Application.class).takesMillis = 200;
				case TAKE_CONNECTIONS -> new Thread(taken, "taker").start();
				case GIVE_CONNECTIONS_BACK -> taken.giveBack();
				default -> print(MIRROR + question + " " + describe(context));
			}
		}
	}

	/** Whether the snapshot is behind, and the objects. */
	private static String describe(ConfigurableApplicationContext context) {
		Lister<?> widgets = context.getBean(Lister.class);
		return (context.getBean(Reflector.class).durability().behindSince() != null) + widgets.stream()
			.map((object) -> ((WidgetRelease) object).metadata())
			.map((metadata) -> " " + ResourceKey.of(metadata.namespace(), metadata.name()) + " "
					+ metadata.resourceVersion())
			.collect(Collectors.joining());
	}

	private static void print(String line) {
		System.out.print(line + "\n");
		System.out.flush();
	}

	/**
	 * The mirror of a process.
	 *
	 * @param objects the versions by key
	 * @param behind whether its snapshot is behind, as its status says
	 */
	record Mirror(Map<String, String> objects, boolean behind) {
	}

	@Configuration(proxyBeanMethods = false)
	@MirrorAutoConfiguration
	static class Application {

		private final ObjectProvider<LeaderElector> elector;

		/** How long the listener needs for an event. */
		private volatile int takesMillis;

		Application(ObjectProvider<LeaderElector> elector) {
			this.elector = elector;
		}

		@Bean
		static ReflectedResourceRegistration<?> widgets(Environment environment) {
			return environment.getProperty(RELEASE, WidgetRelease.Name.class, WidgetRelease.Name.FIRST).registration();
		}

		/** A pool with the default timeouts. */
		@Bean
		@ConditionalOnProperty("database")
		HikariDataSource dataSource(@Value("${database}") String url) {
			HikariDataSource pool = PostgresServer.pool(url);
			pool.setConnectionTimeout(TimeUnit.SECONDS.toMillis(30));
			return pool;
		}

		@EventListener
		void on(ResourceEvent<?> event) throws InterruptedException {
			long beganAt = System.nanoTime();
			LeaderElector elector = this.elector.getIfAvailable();
			if (elector == null && Long.parseLong(event.resourceVersion()) % 20 == 0) {
				// time for others to arrive, and to be committed by mistake
				TimeUnit.MILLISECONDS.sleep(200);
			}
			TimeUnit.MILLISECONDS.sleep(this.takesMillis);
			String type = event.getClass()
				.getSimpleName()
				.replace("Resource", "")
				.replace("Event", "")
				.toUpperCase(Locale.ROOT);
			// written before this returns, so before the change can count as completed
			print(EVENT + type + " " + event.key() + " " + event.resourceVersion()
					+ ((elector != null) ? " " + beganAt + " " + elector.epoch().orElse(-1) : ""));
		}

	}

	/**
	 * Takes all connections of the pool. Connections that the snapshot uses are taken
	 * when they are returned.
	 */
	private static final class TakenConnections implements Runnable {

		private final ConfigurableApplicationContext context;

		private final List<Connection> taken = new ArrayList<>();

		private boolean given;

		private TakenConnections(ConfigurableApplicationContext context) {
			this.context = context;
		}

		@Override
		public void run() {
			try {
				HikariDataSource pool = this.context.getBean(HikariDataSource.class);
				while (keep(pool.getConnection())) {
					// one more
				}
			}
			catch (SQLException ex) {
				// there is none left
			}
		}

		private synchronized boolean keep(Connection connection) throws SQLException {
			if (this.given) {
				connection.close();
			}
			else {
				this.taken.add(connection);
			}
			return !this.given;
		}

		private synchronized void giveBack() throws SQLException {
			this.given = true;
			for (Connection connection : this.taken) {
				connection.close();
			}
		}

	}

}
