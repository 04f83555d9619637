package dev.reflector.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.metadata.storage.Formatter;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import org.springframework.util.FileSystemUtils;

/**
 * The broker for all tests. It runs in a separate process, so that a test can kill it and
 * start it again with its data. Clients that log in have the rights that
 * {@link #allow(String, String, AclOperation...)} gives them, all others have all rights.
 */
final class BrokerProcess {

	private static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule";

	private static @Nullable BrokerProcess shared;

	private final Path folder;

	private final int port;

	private final int loginPort;

	private final Path settings;

	private volatile Process process;

	private BrokerProcess(Path folder) throws Exception {
		this.folder = folder;
		Set<Integer> ports = new LinkedHashSet<>();
		while (ports.size() < 3) {
			ports.add(freePort());
		}
		Iterator<Integer> free = ports.iterator();
		this.port = free.next();
		this.loginPort = free.next();
		int controller = free.next();
		Path data = folder.resolve("data");
		List<String> lines = List.of("process.roles=broker,controller", "node.id=1",
				"controller.quorum.voters=1@127.0.0.1:" + controller,
				"listeners=PLAINTEXT://127.0.0.1:" + this.port + ",LOGIN://127.0.0.1:" + this.loginPort
						+ ",CONTROLLER://127.0.0.1:" + controller,
				"advertised.listeners=PLAINTEXT://127.0.0.1:" + this.port + ",LOGIN://127.0.0.1:" + this.loginPort,
				"controller.listener.names=CONTROLLER",
				"listener.security.protocol.map=PLAINTEXT:PLAINTEXT,LOGIN:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
				"sasl.enabled.mechanisms=PLAIN",
				"listener.name.login.plain.sasl.jaas.config=" + LOGIN
						+ " required user_publisher=\"publisher\" user_mirror=\"mirror\";",
				"authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
				"super.users=User:ANONYMOUS", "log.dirs=" + data, "offsets.topic.replication.factor=1",
				"auto.create.topics.enable=false", "offsets.topic.num.partitions=1",
				"transaction.state.log.replication.factor=1", "transaction.state.log.min.isr=1",
				"num.recovery.threads.per.data.dir=2",
				// a killed broker keeps its successor out until its session ends
				"broker.session.timeout.ms=5000", "broker.heartbeat.interval.ms=300", "log.cleaner.backoff.ms=200",
				// the heap is small
				"log.cleaner.dedupe.buffer.size=16777216", "log.retention.check.interval.ms=500");
		this.settings = Files.write(folder.resolve("server.properties"), lines);
		new Formatter().setClusterId(Uuid.randomUuid().toString())
			.setNodeId(1)
			.addDirectory(data.toString())
			.setMetadataLogDirectory(data.toString())
			.setControllerListenerName("CONTROLLER")
			.setPrintStream(System.out)
			.run();
		this.process = launch();
	}

	/**
	 * The broker, which is started if it is not there yet, or if a test has left it dead.
	 */
	static synchronized BrokerProcess get() throws Exception {
		BrokerProcess present = shared;
		if (present == null) {
			BrokerProcess started = new BrokerProcess(Files.createTempDirectory("broker"));
			Runtime.getRuntime().addShutdownHook(new Thread(started::end));
			started.awaitAnswer();
			shared = started;
			return started;
		}
		if (!present.process.isAlive()) {
			present.start();
		}
		return present;
	}

	/**
	 * A free port of those that no program is given for "any free port", so that it is
	 * still free after the broker was killed.
	 */
	private static int freePort() throws IOException {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
			catch (BindException ex) {
				// another one
			}
		}
	}

	private Process launch() throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		return new ProcessBuilder(java.toString(), "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
				"-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote", "-cp",
				System.getProperty("java.class.path"), "kafka.Kafka", this.settings.toString())
			.directory(this.folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(this.folder.resolve("broker.log").toFile()))
			.start();
	}

	String servers() {
		return "127.0.0.1:" + this.port;
	}

	/** Properties of a client that logs in as a user, by the name of the user. */
	Map<String, String> login(String user) {
		return Map.of("bootstrap.servers", "127.0.0.1:" + this.loginPort, "security.protocol", "SASL_PLAINTEXT",
				"sasl.mechanism", "PLAIN", "sasl.jaas.config",
				LOGIN + " required username=\"" + user + "\" password=\"" + user + "\";");
	}

	/** Allows a user operations on a topic. */
	void allow(String user, String topic, AclOperation... operations) throws Exception {
		ResourcePattern resource = new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL);
		try (Admin admin = admin()) {
			admin
				.createAcls(Stream.of(operations)
					.map((operation) -> new AclBinding(resource,
							new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW)))
					.toList())
				.all()
				.get();
		}
	}

	/** Makes a compacted topic. */
	void make(String topic) throws Exception {
		try (Admin admin = admin()) {
			admin
				.createTopics(List.of(new NewTopic(topic, 1, (short) 1)
					.configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, "compact"))))
				.all()
				.get();
		}
	}

	private void awaitAnswer() {
		try (Admin admin = admin()) {
			// of tests, some are less patient; a busy machine may need minutes
			Awaitility.await().atMost(4, TimeUnit.MINUTES).ignoreException(ExecutionException.class).until(() -> {
				if (!this.process.isAlive()) {
					throw new IllegalStateException(log());
				}
				return admin.describeCluster().nodes().get().size() == 1;
			});
		}
	}

	private Admin admin() {
		return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers(),
				AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000, AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
				5_000, AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200));
	}

	/** Ends the broker as {@code kill -9} does. */
	void kill() {
		this.process.destroyForcibly().onExit().join();
	}

	/** Starts it again after it was killed. */
	void start() throws IOException {
		this.process = launch();
		awaitAnswer();
	}

	private String log() throws IOException {
		return Files.readString(this.folder.resolve("broker.log"));
	}

	private void end() {
		kill();
		try {
			FileSystemUtils.deleteRecursively(this.folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
