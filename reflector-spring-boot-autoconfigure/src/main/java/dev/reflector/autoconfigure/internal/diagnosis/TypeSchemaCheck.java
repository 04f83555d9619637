package dev.reflector.autoconfigure.internal.diagnosis;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.GenericResource;
import dev.reflector.PrintableText;
import dev.reflector.Reflector;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.lifecycle.ManagedReflector;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.registration.ReflectorDefinition;
import dev.reflector.client.internal.bind.MetadataOnly;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;

/**
 * Compares the types that are mirrored from the server with the server's schemas, once
 * after each start. A separate thread sends one request for each API version, after a
 * reflector with a type of this API version has synced. The thread ends when all types
 * are compared. A type for which the server has no schema is considered to fit.
 */
public final class TypeSchemaCheck implements SmartLifecycle, ApplicationRunner, Ordered {

	private static final Logger logger = LoggerFactory.getLogger(TypeSchemaCheck.class);

	private static final long POLL_MILLIS = 50;

	private static final long LONGEST_POLL_MILLIS = 1000;

	private final ReflectorLifecycle lifecycle;

	private final Supplier<List<ReflectorDefinition<?>>> definitions;

	private final Supplier<ApiServerConnection> connection;

	private final Executor threads;

	private final SingletonSupplier<Settings> settings;

	private final Map<String, String> problems = new ConcurrentSkipListMap<>();

	private volatile @Nullable FutureTask<@Nullable Void> task;

	/**
	 * Completes when the start of the application need not wait any longer for this
	 * check. The check may continue after that.
	 */
	private volatile CompletableFuture<@Nullable Void> startable = new CompletableFuture<>();

	private volatile boolean running;

	/**
	 * Creates the check.
	 * @param lifecycle starts the reflectors
	 * @param definitions supplies the definitions of the reflectors whose source is the
	 * server; called after reflectors have been started
	 * @param connection supplies the connection to the server
	 * @param threads runs the check
	 * @param settings supplies the settings of the check; called after reflectors have
	 * been started
	 */
	public TypeSchemaCheck(ReflectorLifecycle lifecycle, Supplier<List<ReflectorDefinition<?>>> definitions,
			Supplier<ApiServerConnection> connection, Executor threads, Supplier<Settings> settings) {
		this.lifecycle = lifecycle;
		this.definitions = definitions;
		this.connection = connection;
		this.threads = threads;
		this.settings = SingletonSupplier.of(settings);
	}

	@Override
	public void start() {
		this.running = true;
		this.problems.clear();
		Map<String, Reflector<?>> started = this.lifecycle.started()
			.stream()
			.map(ManagedReflector::reflector)
			// reflectors that the application makes itself may share a name
			.collect(Collectors.toMap(Reflector::name, Function.identity(), (first, second) -> first));
		if (started.isEmpty()) {
			return;
		}
		Map<String, List<Subject>> subjects = this.definitions.get()
			.stream()
			.filter(TypeSchemaCheck::isComparable)
			.flatMap((definition) -> Stream.ofNullable(started.get(definition.name()))
				.map((reflector) -> new Subject(definition, reflector)))
			.collect(Collectors.groupingBy((subject) -> subject.definition().resourceType().apiVersion()));
		if (!subjects.isEmpty()) {
			CompletableFuture<@Nullable Void> startable = new CompletableFuture<>();
			this.startable = startable;
			FutureTask<@Nullable Void> task = new FutureTask<>(() -> compareNamed(subjects, startable), null);
			this.task = task;
			this.threads.execute(task);
			if (fails() && this.settings.obtain().strict()) {
				require();
			}
		}
	}

	/**
	 * Whether a type can be compared. A type that declares no components always fits.
	 */
	private static boolean isComparable(ReflectorDefinition<?> definition) {
		return definition.type() != GenericResource.class && !Boolean.TRUE.equals(definition.settings().metadataOnly())
				&& !MetadataOnly.declares(definition.type());
	}

	@Override
	public void run(ApplicationArguments args) {
		if (this.task != null && fails() && this.settings.obtain().waits()) {
			require();
		}
	}

	private void compareNamed(Map<String, List<Subject>> subjects, CompletableFuture<@Nullable Void> startable) {
		Thread thread = Thread.currentThread();
		String formerName = thread.getName();
		thread.setName("reflector-schema-check");
		try {
			compare(subjects, startable);
			startable.complete(null);
		}
		catch (RuntimeException | Error ex) {
			startable.completeExceptionally(ex);
			throw ex;
		}
		finally {
			thread.setName(formerName);
		}
	}

	private void compare(Map<String, List<Subject>> subjects, CompletableFuture<@Nullable Void> startable) {
		Map<String, List<Subject>> waiting = new HashMap<>(subjects);
		long begin = System.nanoTime();
		long pause = POLL_MILLIS;
		try {
			while (true) {
				waiting.entrySet().removeIf((entry) -> {
					boolean synced = entry.getValue().stream().anyMatch((subject) -> subject.reflector().hasSynced());
					if (synced) {
						compare(entry.getKey(), entry.getValue());
					}
					return synced;
				});
				if (waiting.isEmpty()) {
					return;
				}
				if (System.nanoTime() - begin > this.settings.obtain().timeout().toNanos()) {
					// the types of reflectors that sync later are still compared
					startable.complete(null);
					pause = Math.min(2 * pause, LONGEST_POLL_MILLIS);
				}
				// the state is polled: a reflector may be an implementation of the
				// application, and the interface has no event for a sync
				Thread.sleep(pause);
			}
		}
		catch (InterruptedException ex) {
			// the check was stopped
			Thread.currentThread().interrupt();
		}
	}

	private void compare(String apiVersion, List<Subject> subjects) {
		long begin = System.nanoTime();
		try {
			Set<String> kinds = subjects.stream()
				.map((subject) -> subject.definition().resourceType().kind())
				.collect(Collectors.toSet());
			BiFunction<String, Class<?>, List<String>> schemas = this.connection.get()
				.client()
				.orElseThrow()
				.schemas(apiVersion, kinds);
			subjects.forEach((subject) -> compare(subject.definition(), schemas));
			logger.debug("Compared {} with the server's schemas in {} ms", apiVersion,
					Duration.ofNanos(System.nanoTime() - begin).toMillis());
		}
		catch (RuntimeException ex) {
			// not an error: the server may forbid requests for schemas or have none, and
			// everything else works without schemas
			logger.debug("The types of {} are not compared with the server's schemas", apiVersion, ex);
		}
	}

	private void compare(ReflectorDefinition<?> definition, BiFunction<String, Class<?>, List<String>> schemas) {
		List<String> found = schemas.apply(definition.resourceType().kind(), definition.type());
		if (!found.isEmpty()) {
			String problem = definition.type().getName() + " does not fit the server's schema of "
					+ PrintableText.of(definition.resourceType()) + ": " + String.join("; ", found);
			this.problems.put(definition.name(), problem);
			logger.atWarn()
				.addKeyValue("reflector", definition.name())
				.log("Reflector '{}': {}. A component that is not in the schema is never set. An object with a "
						+ "value that cannot be read is skipped", definition.name(), problem);
		}
	}

	/**
	 * Waits until the start may continue, and fails if a type does not fit. This method
	 * waits without a time limit: if the application must end during its start, Spring
	 * interrupts only a thread that waits without a time limit. The check itself has a
	 * time limit.
	 */
	private void require() {
		try {
			this.startable.get();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(
					"The start was interrupted before the types were compared with the server's schemas", ex);
		}
		catch (CancellationException ex) {
			return;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The types could not be compared with the server's schemas", ex.getCause());
		}
		if (!this.problems.isEmpty()) {
			throw new ReflectorConfigurationException(
					"'reflector.schema-check' is 'fail', and " + String.join(".\n\n", this.problems.values()) + ".",
					"Correct the types; @JsonProperty gives a component another name in JSON, and @JsonIgnore "
							+ "keeps one "
							+ "out of it. To start anyway, set 'reflector.schema-check' to 'warn' or 'off'.");
		}
	}

	/**
	 * Whether a type that does not fit makes the start fail.
	 * @return whether {@code reflector.schema-check} is {@code fail}
	 */
	public boolean fails() {
		return this.settings.obtain().fails();
	}

	/**
	 * Returns why the type of a reflector does not fit the server's schema.
	 * @param reflector name of the reflector
	 * @return what does not fit, or {@code null} if everything fits or has not been
	 * compared
	 */
	public @Nullable String failure(String reflector) {
		return this.problems.get(reflector);
	}

	@Override
	public void stop() {
		this.running = false;
		FutureTask<@Nullable Void> task = this.task;
		if (task != null) {
			task.cancel(true);
			this.startable.cancel(false);
			this.task = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Returns a phase that makes this check start right after the reflectors, and before
	 * other beans that start after them.
	 */
	@Override
	public int getPhase() {
		return this.lifecycle.getPhase() + 1;
	}

	/**
	 * Returns an order that makes this check run right after the runner that waits for
	 * the first sync.
	 */
	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE + 1;
	}

	/**
	 * Settings of the check.
	 *
	 * @param fails whether the start fails when a type does not fit
	 * @param waits whether the start waits for the first sync
	 * @param strict whether the start waits before the web server is started
	 * @param timeout the longest time to wait for the first sync
	 */
	public record Settings(boolean fails, boolean waits, boolean strict, Duration timeout) {

	}

	/** A type to compare, and the reflector that must sync first. */
	private record Subject(ReflectorDefinition<?> definition, Reflector<?> reflector) {

	}

}
