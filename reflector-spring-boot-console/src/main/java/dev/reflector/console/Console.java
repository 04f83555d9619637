package dev.reflector.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import dev.reflector.actuate.endpoint.ReactiveReflectorsEndpointWebExtension;
import dev.reflector.actuate.endpoint.ReflectorDescriptor;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.leaderelection.LeaderElector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Finds the reflectors of the application, and keeps the data that the console records
 * about them. While the application runs, the thread {@code reflector-console} takes a
 * sample of each reflector each second.
 */
final class Console implements SmartInitializingSingleton, SmartLifecycle, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(Console.class);

	/**
	 * The objects of a table are forgotten if they have not been requested for this time.
	 */
	private static final long FORGET_AFTER = Duration.ofMinutes(1).toNanos();

	/**
	 * How long summaries are reused for all streams. This time is shorter than the time
	 * between two frames of a stream.
	 */
	private static final long MOMENT = Duration.ofMillis(125).toNanos();

	private final Supplier<? extends Stream<? extends Reflector<?>>> source;

	private final ConsoleInstrumentation instrumentation;

	private final Masking masking;

	private final Supplier<@Nullable LeaderElector> election;

	private final ConsoleAccess access;

	private final ReactiveReflectorsEndpointWebExtension endpoint;

	private volatile Map<String, ObservedReflector<?>> reflectors = Map.of();

	private final List<HandlerRegistration> handlers = new ArrayList<>();

	private volatile Sinks.One<Boolean> stopped = Sinks.one();

	private final Supplier<@Nullable ConsoleProtection> protection;

	private boolean ended;

	private @Nullable Recent recent;

	private @Nullable ScheduledExecutorService sampler;

	Console(Supplier<? extends Stream<? extends Reflector<?>>> source, ConsoleInstrumentation instrumentation,
			Supplier<@Nullable LeaderElector> election, ConsoleAccess access,
			Supplier<@Nullable ConsoleProtection> protection, ApplicationEventPublisher publisher) {
		this.source = source;
		this.instrumentation = instrumentation;
		this.masking = instrumentation.masking();
		this.election = election;
		this.access = access;
		this.protection = protection;
		this.endpoint = new ReactiveReflectorsEndpointWebExtension(
				new ReflectorsEndpoint(source, this.masking.sanitizer(), Show.ALWAYS, publisher), Show.ALWAYS,
				Set.of());
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<String, ObservedReflector<?>> reflectors = new LinkedHashMap<>();
		this.source.get()
			.sorted(Comparator.comparing((Reflector<?> reflector) -> reflector.name()))
			.forEach((reflector) -> reflectors.put(reflector.name(), observed(reflector)));
		this.reflectors = reflectors;
		reflectors.values()
			.stream()
			.map(ObservedReflector::follow)
			.filter(Objects::nonNull)
			.forEach(this.handlers::add);
	}

	/**
	 * Removes the handlers of the console. Otherwise, reflectors of a parent context,
	 * which keep running, would still call these handlers.
	 */
	@Override
	public void destroy() {
		this.handlers.forEach(HandlerRegistration::remove);
		this.endpoint.destroy();
	}

	private <T> ObservedReflector<T> observed(Reflector<T> reflector) {
		return new ObservedReflector<>(reflector, this.instrumentation.journal(reflector.name()), this.masking);
	}

	@Override
	public synchronized void start() {
		if (this.sampler != null) {
			return;
		}
		ConsoleProtection.warnIfOpen(this.protection.get(), this.access);
		if (this.ended) {
			this.ended = false;
			this.stopped = Sinks.one();
		}
		ScheduledExecutorService sampler = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "reflector-console");
			thread.setDaemon(true);
			return thread;
		});
		sampler.scheduleAtFixedRate(this::sample, 0, Series.STEP, TimeUnit.MILLISECONDS);
		this.sampler = sampler;
	}

	private void sample() {
		long before = System.nanoTime() - FORGET_AFTER;
		for (ObservedReflector<?> reflector : this.reflectors.values()) {
			try {
				reflector.sample();
				reflector.forgetObjects(before);
			}
			catch (RuntimeException ex) {
				logger.debug("The console could not read the status of the reflector '{}'", reflector.name(), ex);
			}
		}
	}

	/**
	 * Ends the open streams. Otherwise, a web server that stops would wait for the
	 * requests of these streams.
	 */
	@Override
	public synchronized void stop() {
		this.ended = true;
		this.stopped.tryEmitValue(true);
		ScheduledExecutorService sampler = this.sampler;
		if (sampler != null) {
			sampler.shutdownNow();
			this.sampler = null;
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.sampler != null;
	}

	/**
	 * Returns the phase of the console. It starts after the web server. It stops before
	 * the web server begins to wait for open requests.
	 */
	@Override
	public int getPhase() {
		return SmartLifecycle.DEFAULT_PHASE;
	}

	/**
	 * Returns a publisher that completes when the console stops. This method may be
	 * called before the console has started. If the console has already stopped, the
	 * publisher completes at once.
	 */
	Mono<Boolean> stopped() {
		return this.stopped.asMono();
	}

	ConsoleAccess access() {
		return this.access;
	}

	boolean writes() {
		return this.access.writes();
	}

	/**
	 * Returns summaries that all streams share. They are at most 125 ms old.
	 */
	synchronized List<Summary> recentSummaries() {
		Recent recent = this.recent;
		long now = System.nanoTime();
		if (recent == null || now - recent.madeAt() > MOMENT) {
			recent = new Recent(summaries(), now);
			this.recent = recent;
		}
		return recent.summaries();
	}

	List<Summary> summaries() {
		return this.reflectors.values().stream().map(this::summary).toList();
	}

	Map<String, ObservedReflector<?>> reflectors() {
		return this.reflectors;
	}

	/**
	 * Returns a reflector.
	 * @param name name of the reflector
	 * @return the reflector
	 * @throws ConsoleProblem if there is no reflector of that name
	 */
	ObservedReflector<?> reflector(String name) {
		ObservedReflector<?> reflector = this.reflectors.get(name);
		if (reflector == null) {
			throw ConsoleProblem.notFound("there is no reflector of that name");
		}
		return reflector;
	}

	private Summary summary(ObservedReflector<?> reflector) {
		ReflectorDescriptor descriptor = Objects
			.requireNonNull(this.endpoint.reflector(SecurityContext.NONE, reflector.name()));
		LeaderElector elector = this.election.get();
		return Summary.of(descriptor, reflector.journal().handlers(), (elector != null)
				? new Summary.Leader(elector.lease(), elector.identity(), elector.leader(), elector.isLeader()) : null,
				writes());
	}

	ReactiveReflectorsEndpointWebExtension endpoint() {
		return this.endpoint;
	}

	private record Recent(List<Summary> summaries, long madeAt) {

	}

}
