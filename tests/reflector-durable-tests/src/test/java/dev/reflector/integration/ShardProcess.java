package dev.reflector.integration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

import dev.reflector.Lister;
import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceUpdatedEvent;
import dev.reflector.event.ShardAcquiredEvent;
import dev.reflector.event.ShardReleasedEvent;
import dev.reflector.fixture.ClassArchive;
import dev.reflector.sharding.membership.ShardCallbacks.ReleaseReason;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.ParameterizedTypeReference;

/**
 * A replica in its own JVM that owns slots by its Lease, and what its listeners have
 * printed before they returned. The lines are read here, so that they are known after the
 * replica was killed.
 */
final class ShardProcess implements AutoCloseable {

	final String identity;

	final ShardAccount account;

	/** Object and size of each long call that has begun: a size below 0 makes one. */
	final List<String> calling = new CopyOnWriteArrayList<>();

	private final List<String> output = new CopyOnWriteArrayList<>();

	private final Map<Integer, CompletableFuture<Map<String, String>>> mirrors = new ConcurrentHashMap<>();

	private final AtomicInteger questions = new AtomicInteger();

	private final Process process;

	private final Writer input;

	private final Thread reader;

	private ShardProcess(String identity, Process process) {
		this.identity = identity;
		this.account = new ShardAccount(identity + " (" + process.pid() + ")");
		this.process = process;
		this.input = process.outputWriter();
		this.reader = new Thread(this::read, "output of " + process.pid());
		this.reader.setDaemon(true);
		this.reader.start();
	}

	/**
	 * Starts one.
	 * @param server the API server
	 * @param identity its name among the replicas
	 * @param more such as {@code --name=value}
	 */
	static ShardProcess start(URI server, String identity, List<String> more) throws Exception {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		List<String> command = new ArrayList<>(
				List.of(java.toString(), "-Xmx128m", "--enable-native-access=ALL-UNNAMED"));
		// the archive fits: most classes are those of an application with a durable
		// mirror
		command.addAll(ClassArchive.of(DurableProcess::train).options());
		command.addAll(List.of(ShardProcess.class.getName(), "--reflector.api-server.url=" + server,
				"--reflector.startup.wait-for-sync=false", "--reflector.sharding.enabled=true",
				"--reflector.sharding.assignment=dynamic", "--reflector.sharding.leases.group=shop",
				"--reflector.sharding.leases.namespace=default", "--reflector.sharding.leases.identity=" + identity));
		command.addAll(more);
		return new ShardProcess(identity, new ProcessBuilder(command).redirectErrorStream(true).start());
	}

	private void read() {
		try (BufferedReader lines = this.process.inputReader()) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				this.output.add(line);
				String[] words = line.split(" ");
				switch (words[0]) {
					case "acquired" -> this.account.acquired(right(words, 1));
					case "released" ->
						this.account.released(right(words, 1), words[3].equals(ReleaseReason.RELEASED.name()));
					case "called" -> this.account.called(new ShardAccount.Call(words[1], words[2], words[3],
							right(words, 4), Long.parseLong(words[6]), Long.parseLong(words[7])));
					case "calling" -> this.calling.add(words[1] + " " + words[2]);
					case "mirror" -> mirrored(words);
					default -> {
						// a line of the log
					}
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static ShardAccount.Right right(String[] words, int from) {
		return new ShardAccount.Right(Integer.parseInt(words[from]), Long.parseLong(words[from + 1]));
	}

	private void mirrored(String[] words) {
		Map<String, String> mirror = new TreeMap<>();
		for (int i = 2; i < words.length; i += 2) {
			mirror.put(words[i], words[i + 1]);
		}
		this.mirrors.get(Integer.parseInt(words[1])).complete(mirror);
	}

	/** Asks for the names and versions that are mirrored. */
	CompletableFuture<Map<String, String>> mirror() {
		int number = this.questions.incrementAndGet();
		CompletableFuture<Map<String, String>> mirror = new CompletableFuture<>();
		this.mirrors.put(number, mirror);
		try {
			this.input.write(number + "\n");
			this.input.flush();
		}
		catch (IOException ex) {
			mirror.completeExceptionally(ex);
		}
		return mirror;
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
		awaitEnd();
		this.account.died();
	}

	/** Ends it as an operator does, and waits for the end. */
	void end() throws InterruptedException {
		this.process.toHandle().destroy();
		awaitEnd();
	}

	private void awaitEnd() throws InterruptedException {
		this.process.waitFor();
		this.reader.join();
	}

	/** The output of the process, to look at after a failure. */
	String output() {
		return String.join("\n", this.output);
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	public static void main(String[] args) throws IOException {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.run(args);
		Lister<Widget> widgets = context.getBeanProvider(new ParameterizedTypeReference<Lister<Widget>>() {
		}).getObject();
		BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String number = questions.readLine(); number != null; number = questions.readLine()) {
			print("mirror " + number
					+ widgets.list()
						.stream()
						.map((widget) -> " " + ResourceKey.of(widget.metadata().namespace(), widget.name()) + " "
								+ widget.version())
						.collect(Collectors.joining()));
		}
	}

	private static void print(String line) {
		System.out.print(line + "\n");
		System.out.flush();
	}

	@Configuration(proxyBeanMethods = false)
	@MirrorAutoConfiguration
	@AutoConfigurationPackage
	static class Application {

		@EventListener
		void on(ShardAcquiredEvent event) {
			print("acquired " + event.slot() + " " + event.epoch());
		}

		@EventListener
		void on(ShardReleasedEvent event) {
			print("released " + event.slot() + " " + event.epoch() + " " + event.reason());
		}

		@EventListener
		void on(ResourceEvent<Widget> event) throws InterruptedException {
			long beganAt = System.nanoTime();
			if (event instanceof ResourceUpdatedEvent && event.resource().spec().size() < 0) {
				print("calling " + event.key() + " " + event.resource().spec().size());
				// long enough to stop the process during the call, even on a busy machine
				TimeUnit.SECONDS.sleep(5);
			}
			else if (Long.parseLong(event.resourceVersion()) % 4 == 0) {
				// work that a pause may fall into
				TimeUnit.MILLISECONDS.sleep(30);
			}
			String type = event.getClass()
				.getSimpleName()
				.replace("Resource", "")
				.replace("Event", "")
				.toUpperCase(Locale.ROOT);
			Ownership ownership = event.ownership();
			print("called " + type + " " + event.key() + " " + event.resourceVersion() + " " + ownership.slot() + " "
					+ ownership.epoch() + " " + beganAt + " " + System.nanoTime());
		}

	}

}
