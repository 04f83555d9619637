package dev.reflector.sample.console;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;

/**
 * Faults of the embedded server and of a listener, for the buttons of the page. Each
 * fault ends by itself, and some can be ended earlier.
 */
class FaultPanel implements DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(FaultPanel.class);

	private static final List<String> TYPES = List.of("widgets", "deployments");

	private final EmbeddedApiServer server;

	private final Map<String, PanelFault> faults = new LinkedHashMap<>();

	/** The faults in progress, with the tasks that will end them. */
	private final Map<String, Future<?>> active = new ConcurrentHashMap<>();

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "faults");
		thread.setDaemon(true);
		return thread;
	});

	FaultPanel(EmbeddedApiServer server, SlowListener listener) {
		this.server = server;
		add("drop", "Drop the connections", "The next watches break off at their first event.", 0,
				() -> nextWatches(Fault.disconnect().atEvent(1)), server::clearFaults);
		add("compact", "Compact", "The server forgets all history, so the next watches are too old.", 0, () -> {
			server.compact();
			server.closeWatches();
		}, () -> {
		});
		add("slow-link", "Slow link", "For half a minute, watches bring 100 bytes a second: less than what happens.",
				30, () -> nextWatches(Integer.MAX_VALUE, Fault.drip(100)), () -> {
					server.clearFaults();
					server.closeWatches();
				});
		add("throttle", "Answer 429", "The next two requests of each type are refused: try again in 2 seconds.", 0,
				() -> nextRequests(2, Fault.status(429).withRetryAfter(2)), server::clearFaults);
		add("silence", "Fall silent",
				"The next watches say nothing more from their first event on. A silence of 8 s counts as lost.", 0,
				() -> nextWatches(Fault.silence().atEvent(1)), server::clearFaults);
		add("garbage", "Send garbage", "The next watches send malformed bytes.", 0,
				() -> nextWatches(Fault.garbage().atEvent(1)), server::clearFaults);
		add("slow-listener", "Slow listener", "A listener takes two seconds for each change, for half a minute.", 30,
				() -> listener.slow(true), () -> listener.slow(false));
		add("restart", "Restart the server", "The server is away for three seconds.", 3, server::stop, server::start);
	}

	private void add(String id, String title, String what, int seconds, Runnable begin, Runnable end) {
		this.faults.put(id, new PanelFault(id, title, what, Duration.ofSeconds(seconds), begin, end));
	}

	private void nextWatches(Fault fault) {
		nextWatches(1, fault);
	}

	private void nextWatches(int times, Fault fault) {
		TYPES
			.forEach((type) -> this.server.fail((request) -> request.isWatch() && request.isAbout(type), times, fault));
		this.server.closeWatches();
	}

	private void nextRequests(int times, Fault fault) {
		TYPES.forEach((type) -> this.server.fail((request) -> request.isAbout(type), times, fault));
		this.server.closeWatches();
	}

	List<FaultView> faults() {
		return this.faults.values().stream().map(this::view).toList();
	}

	private FaultView view(PanelFault fault) {
		return new FaultView(fault.id(), fault.title(), fault.what(), TYPES.get(0),
				this.active.containsKey(fault.id()));
	}

	/**
	 * Begins a fault, unless it is in progress already.
	 * @param id id of the fault
	 * @return description of what has happened, or {@code null} if there is no such fault
	 */
	synchronized @Nullable String begin(String id) {
		PanelFault fault = this.faults.get(id);
		if (fault == null) {
			return null;
		}
		if (!this.active.containsKey(id)) {
			logger.info("Fault '{}': {}", id, fault.what());
			if (!fault.lasts().isZero()) {
				this.active.put(id,
						this.timer.schedule(() -> end(id), fault.lasts().toMillis(), TimeUnit.MILLISECONDS));
			}
			fault.begin().run();
		}
		return fault.what();
	}

	/**
	 * Ends a fault, if it is in progress.
	 * @param id id of the fault
	 * @return description of what has happened, or {@code null} if there is no such fault
	 */
	synchronized @Nullable String end(String id) {
		PanelFault fault = this.faults.get(id);
		if (fault == null) {
			return null;
		}
		Future<?> timer = this.active.remove(id);
		if (timer != null) {
			timer.cancel(false);
			fault.end().run();
			logger.info("Fault '{}' has ended", id);
		}
		return "It has ended.";
	}

	@Override
	public void destroy() {
		this.timer.shutdownNow();
		this.faults.keySet().forEach(this::end);
	}

	private record PanelFault(String id, String title, String what, Duration lasts, Runnable begin, Runnable end) {

	}

	record FaultView(String id, String title, String what, String reflector, boolean active) {

	}

}
