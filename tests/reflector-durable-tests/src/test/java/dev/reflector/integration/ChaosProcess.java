package dev.reflector.integration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import dev.reflector.Reflector;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ShardAcquiredEvent;
import dev.reflector.event.ShardReleasedEvent;
import dev.reflector.event.StartedLeadingEvent;
import dev.reflector.event.StoppedLeadingEvent;
import dev.reflector.fixture.ClassArchive;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.sharding.membership.ShardCallbacks.ReleaseReason;
import dev.reflector.sharding.membership.ShardMembership;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/**
 * A replica in its own JVM that shares slots or competes for the lead. Its listeners
 * write to a {@link ChaosTable} that refuses older epochs. A separate thread reports the
 * owned slots to the table again and again. The leader owns slot 0.
 */
final class ChaosProcess implements AutoCloseable {

	/** How many lines of the output are kept, to read after a failure. */
	private static final int LINES = 400;

	final String name;

	private final Deque<String> output = new ArrayDeque<>();

	private final Process process;

	private final Thread reader;

	private ChaosProcess(String name, Process process) {
		this.name = name;
		this.process = process;
		this.reader = new Thread(this::read, "output of " + name);
		this.reader.setDaemon(true);
		this.reader.start();
	}

	/**
	 * Starts a process.
	 * @param name its name, which no other process has or had
	 * @param server the API server, or a proxy in front of it
	 * @param table the port of the table
	 * @param example additional classes of the application: the mirrored type, and
	 * listeners of the guide
	 * @param more further arguments, such as {@code --name=value}
	 */
	static ChaosProcess start(String name, URI server, int table, Class<?> example, List<String> more)
			throws Exception {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx128m", "-XX:+UseSerialGC",
				"-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
		// the archive fits: most classes are those of an application with a durable
		// mirror
		command.addAll(ClassArchive.of(DurableProcess::train).options());
		command.addAll(List.of(ChaosProcess.class.getName(), example.getName(), "--chaos.name=" + name,
				"--chaos.table=" + table, "--reflector.api-server.url=" + server,
				"--reflector.api-server.idle-timeout=5s", "--reflector.backoff.max=2s", "--reflector.verify-period=5s",
				"--reflector.startup.wait-for-sync=false", "--spring.lifecycle.timeout-per-shutdown-phase=10s"));
		command.addAll(more);
		return new ChaosProcess(name, new ProcessBuilder(command).redirectErrorStream(true).start());
	}

	private void read() {
		try (BufferedReader lines = this.process.inputReader()) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				synchronized (this.output) {
					this.output.addLast(line);
					if (this.output.size() > LINES) {
						this.output.removeFirst();
					}
				}
			}
		}
		catch (IOException ex) {
			// it was killed
		}
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
		this.process.toHandle().destroyForcibly();
		this.process.waitFor();
	}

	/** Makes its reflectors list again, as an operator does after a restore. */
	void relist() throws IOException {
		Writer input = this.process.outputWriter();
		input.write("relist\n");
		input.flush();
	}

	/** Asks it to end, as an operator does. */
	void terminate() {
		this.process.toHandle().destroy();
	}

	/**
	 * Waits until it has ended.
	 * @param seconds for how long at most
	 * @return whether it has
	 */
	boolean awaitEnd(int seconds) throws InterruptedException {
		return this.process.waitFor(seconds, TimeUnit.SECONDS);
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/** The last lines of the output of the process. */
	String output() {
		synchronized (this.output) {
			return String.join("\n", this.output);
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	@Override
	public String toString() {
		return this.name + " (" + this.process.pid() + ")";
	}

	public static void main(String[] args) throws ClassNotFoundException {
		new SpringApplicationBuilder(Application.class, Class.forName(args[0])).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.run(args);
	}

	@Configuration(proxyBeanMethods = false)
	@MirrorAutoConfiguration
	static class Application {

		private final ObjectProvider<LeaderElector> elector;

		private final ObjectProvider<ShardMembership> membership;

		private final ObjectProvider<Reflector<?>> reflectors;

		private final Table table;

		private final Table samples;

		Application(ObjectProvider<LeaderElector> elector, ObjectProvider<ShardMembership> membership,
				ObjectProvider<Reflector<?>> reflectors, @Value("${chaos.name}") String name,
				@Value("${chaos.table}") int port) throws IOException {
			this.elector = elector;
			this.membership = membership;
			this.reflectors = reflectors;
			this.table = new Table(name, port);
			this.samples = new Table(name, port);
		}

		@EventListener(ApplicationReadyEvent.class)
		void ready() {
			LeaderElector elector = this.elector.getIfAvailable();
			ShardMembership membership = this.membership.getIfAvailable();
			Thread sampler = new Thread(() -> sample(elector, membership), "sampler");
			sampler.setDaemon(true);
			sampler.start();
			Thread operator = new Thread(this::obey, "operator");
			operator.setDaemon(true);
			operator.start();
		}

		private void obey() {
			try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
				while (lines.readLine() != null) {
					this.reflectors.forEach(Reflector::relist);
				}
			}
			catch (IOException ex) {
				// the run has ended
			}
		}

		/**
		 * Reports the owned slots when they have changed, and every tenth of a second.
		 */
		private void sample(LeaderElector elector, ShardMembership membership) {
			String before = "";
			long told = System.nanoTime();
			String last = "";
			try {
				while (true) {
					long from = System.nanoTime();
					String owned = owned(elector, membership);
					long until = System.nanoTime();
					if (!owned.equals(before) || until - told > 100_000_000) {
						if (!before.isEmpty()) {
							// it was so when it was looked at last
							this.samples.send("owns " + last + before);
						}
						this.samples.send("owns " + from + " " + until + owned);
						told = until;
					}
					before = owned;
					last = from + " " + until;
					TimeUnit.MILLISECONDS.sleep(5);
				}
			}
			catch (Exception ex) {
				// the application has ended
			}
		}

		/** Whether the server was seen, and slots with their epochs. */
		private static String owned(LeaderElector elector, ShardMembership membership) {
			StringBuilder owned = new StringBuilder();
			if (elector != null) {
				OptionalLong epoch = elector.epoch();
				owned.append(" ").append(!elector.leader().isEmpty());
				epoch.ifPresent((number) -> owned.append(" 0=").append(number));
			}
			else {
				owned.append(" ").append(membership.isMember());
				for (int slot = 0; slot < membership.slots().count(); slot++) {
					long epoch = membership.epoch(slot);
					if (epoch != ShardMembership.NOT_OWNED) {
						owned.append(' ').append(slot).append('=').append(epoch);
					}
				}
			}
			return owned.toString();
		}

		@EventListener
		void on(ShardAcquiredEvent event) throws IOException {
			this.table.send("acquired " + event.slot() + " " + event.epoch());
		}

		@EventListener
		void on(ShardReleasedEvent event) throws IOException {
			this.table.send("released " + event.slot() + " " + event.epoch() + " "
					+ (event.reason() == ReleaseReason.RELEASED));
		}

		@EventListener
		void on(StartedLeadingEvent event) throws IOException {
			this.table.send("acquired 0 " + event.epoch());
		}

		/** Whether the lead was lost or is about to be released is not known here. */
		@EventListener
		void on(StoppedLeadingEvent event) throws IOException {
			this.table.send("released 0 " + event.epoch() + " false");
		}

		@EventListener
		void on(ResourceEvent<?> event) throws Exception {
			long beganAt = System.nanoTime();
			Ownership ownership = event.ownership();
			long version = Long.parseLong(event.resourceVersion());
			// work that faults may fall into
			TimeUnit.MILLISECONDS
				.sleep((version % 100 == 0) ? 1500 : (version % 10 == 0) ? 150 : (version % 3 == 0) ? 30 : 0);
			String type = event.getClass()
				.getSimpleName()
				.replace("Resource", "")
				.replace("Event", "")
				.toUpperCase(Locale.ROOT);
			this.table.send("called " + ownership.slot() + " " + ownership.epoch() + " " + beganAt + " " + type + " "
					+ event.key() + " " + version);
		}

	}

	/** A connection to the table. */
	private static final class Table {

		private final Writer output;

		private final BufferedReader input;

		Table(String name, int port) throws IOException {
			Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
			socket.setTcpNoDelay(true);
			this.output = new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8);
			this.input = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
			send(name);
		}

		/** Returns when the table has taken or refused it. */
		synchronized void send(String line) throws IOException {
			this.output.write(line + "\n");
			this.output.flush();
			if (this.input.readLine() == null) {
				throw new IOException("the table has gone");
			}
		}

	}

}
