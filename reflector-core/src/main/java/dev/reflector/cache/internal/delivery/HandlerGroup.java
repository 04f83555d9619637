package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import dev.reflector.PrintableText;
import dev.reflector.ReflectorStatus.LastError;
import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.DeliveryStoppedException;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.internal.call.SlowListeners;
import dev.reflector.cache.internal.store.Counters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * A handler and its members: the {@link ProcessorListener listeners} that serve it. If
 * there are several members, each serves a part of the objects, so the changes of one
 * object keep their order. The first member also delivers start and stop, state changes
 * and ends of passes. The end of the initial list is delivered by the member that is the
 * last to reach it.
 *
 * @param <T> the type of the objects
 */
public final class HandlerGroup<T> implements HandlerRegistration {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private final DeliverySetup<T> setup;

	private final ListenerKind kind;

	/**
	 * Decides what may be delivered. Streams receive all changes of the mirror, even if
	 * another replica delivers to handlers.
	 */
	private final DeliveryGate<T> gate;

	private final ResourceEventHandler<T> handler;

	private final String name;

	private final Counters counters;

	private final SlowListeners slow;

	private final RateLimitedStackTraces traces;

	private final List<ProcessorListener<T>> members = new ArrayList<>();

	private final List<Turn> turns = new ArrayList<>();

	/**
	 * How many complete states each member has delivered since the handler last began.
	 * This array is also the lock that guards its elements and the writes of the next two
	 * fields.
	 */
	private final int[] passed;

	/**
	 * How often the handler has started over. The failure of a call that began before the
	 * last start does not stop the delivery.
	 */
	private volatile int beginning;

	private volatile @Nullable LastError stopped;

	/** Whether the handler receives nothing, because another replica delivers. */
	private volatile boolean held;

	HandlerGroup(DeliverySetup<T> setup, ListenerKind kind, ResourceEventHandler<T> handler, String name,
			List<ResyncClock> clocks, Counters counters, SlowListeners slow) {
		this.setup = setup;
		this.kind = kind;
		this.gate = (kind == ListenerKind.EVENTS) ? setup.gate() : new DeliveryGate.Always<>();
		this.handler = handler;
		this.name = name;
		this.counters = counters;
		this.slow = slow;
		this.traces = new RateLimitedStackTraces(setup.time());
		this.passed = new int[clocks.size()];
		for (ResyncClock clock : clocks) {
			KeyStripe stripe = new KeyStripe(this.members.size(), clocks.size());
			this.members.add(new ProcessorListener<>(setup, this, stripe, clock, slow));
			this.turns.add(new Turn());
		}
	}

	ListenerKind kind() {
		return this.kind;
	}

	DeliveryGate<T> gate() {
		return this.gate;
	}

	/** Returns the name of the handler, human-readable. */
	String name() {
		return this.name;
	}

	public List<ProcessorListener<T>> members() {
		return this.members;
	}

	public ProcessorListener<T> first() {
		return this.members.get(0);
	}

	/** Returns the task of a member's thread, as part of the thread's name. */
	String task(KeyStripe stripe) {
		String task = this.kind.name().toLowerCase(Locale.ROOT);
		return (stripe.count() == 1) ? task : task + "-" + (stripe.index() + 1);
	}

	/** Returns the number of changes that the handler has not completed. */
	int size() {
		return this.members.stream().mapToInt(ProcessorListener::size).sum();
	}

	void started(KeyStripe stripe) {
		if (stripe.index() == 0) {
			tell("start", this.handler::onStart);
		}
	}

	void stopping(KeyStripe stripe) {
		if (stripe.index() == 0) {
			tell("stop", this.handler::onStop);
			this.traces.flush();
		}
	}

	private void tell(String what, Runnable call) {
		try {
			call.run();
		}
		catch (Throwable ex) {
			this.counters.errors.increment();
			logger.atError()
				.addKeyValue("reflector", this.setup.name())
				.setCause(ex)
				.log("Reflector '{}': a listener failed on its {}: {}", this.setup.name(), what, name());
		}
	}

	/**
	 * Calls the handler. Called on the thread of a member.
	 * @param member the number of the member
	 * @param notification the notification that was taken from the member's queue
	 * @param told the same notification with the ownership under which it was admitted;
	 * {@code null} if it was not admitted
	 */
	void deliver(int member, Notification<T> notification, @Nullable Notification<T> told) {
		int beginning = this.beginning;
		if (notification instanceof Notification.Synced<T> synced && !isLastToPass(member, synced)) {
			return;
		}
		if (!this.gate.isOpen()) {
			holdSince(beginning);
			return;
		}
		if (told == null || !this.gate.isStillAdmitted(told)) {
			// not delivered now: the slot's next owner delivers the object, or this
			// replica does so in another epoch
			return;
		}
		Turn turn = this.turns.get(member);
		turn.begin(told);
		ProcessorListener<T> pipeline = this.members.get(member);
		boolean failed = false;
		pipeline.call().begin(notification, this.name);
		try {
			this.slow.called();
			observed(told).deliver(this.handler, turn);
			failed = pipeline.isInterrupted();
		}
		catch (Throwable ex) {
			failed = true;
			this.counters.errors.increment();
			if (!pipeline.isInterrupted()) {
				failed(pipeline, notification, ex, turn.beginning);
			}
		}
		finally {
			pipeline.call().leave();
		}
		if (notification.isChange() && this.setup.observer() != ReflectorObserver.NONE) {
			this.setup.observer().handled(this.name, turn.taken(), failed);
		}
	}

	/**
	 * Notifies the observer. If the observer needs the {@code Change} of an initial
	 * object, returns a notification with this change, so that the change is created only
	 * once.
	 */
	private Notification<T> observed(Notification<T> told) {
		Change<T> change = (this.setup.observer() != ReflectorObserver.NONE) ? told.change() : null;
		if (change == null) {
			return told;
		}
		this.setup.observer().delivering(this.name, change, this.setup.accessor());
		return (told instanceof Notification.Stored<T>) ? new Notification.Changed<>(change) : told;
	}

	/** Completes a mark when the work that the handler began before the mark is done. */
	void passed(CompletableFuture<Void> mark) {
		completed().whenComplete((nothing, failure) -> {
			if (failure != null) {
				mark.completeExceptionally(failure);
			}
			else {
				mark.complete(null);
			}
		});
	}

	/**
	 * Returns a future that completes when no call is in progress and the work that
	 * earlier calls began is done.
	 * @param quiet completes when no call is in progress
	 */
	CompletableFuture<Void> doneAfter(CompletableFuture<Void> quiet) {
		// quiet completes under a lock, and no handler may be called under that lock
		CompletableFuture<Void> done = quiet.isDone() ? completed().toCompletableFuture()
				: quiet.thenComposeAsync((nothing) -> completed());
		return done.exceptionally((failure) -> null);
	}

	/**
	 * Returns a stage that completes when the work that the handler has begun so far is
	 * done.
	 */
	CompletionStage<Void> completed() {
		try {
			return this.handler.completed();
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Whether this member is the last one to deliver a complete state. A state has been
	 * delivered when every member has delivered its stripe. States are counted for each
	 * member, because a run may end, or delivery may stop and start over, after only some
	 * members have delivered their stripes.
	 */
	private boolean isLastToPass(int member, Notification.Synced<T> synced) {
		synchronized (this.passed) {
			if (synced.beginning() != this.beginning) {
				return false;
			}
			int state = ++this.passed[member];
			for (int others : this.passed) {
				if (others < state) {
					return false;
				}
			}
			return true;
		}
	}

	private void failed(ProcessorListener<T> member, Notification<T> notification, Throwable failure, int beginning) {
		if (failure instanceof DeliveryAbandonedException abandoned && notification.isChange()) {
			// checks the first member, because its end begins before the handler is
			// notified of the stop; the end of another member may begin a moment later
			if (!first().continuesInNextRun()) {
				failed(member, notification, abandoned.giveUp(), beginning);
				return;
			}
			member.abandon();
			this.traces.log(line(notification), failure,
					"Reflector '{}': a listener failed on {}. Delivery ends, so there is no further attempt, and "
							+ "the change does not count as received: {}",
					this.setup.name(), notification, name());
			return;
		}
		if (failure instanceof DeliveryStoppedException && this.kind == ListenerKind.EVENTS
				&& beginning == this.beginning) {
			String message = PrintableText.of(failure.getMessage());
			line(notification).setCause(failure)
				.log("Reflector '{}': a listener failed on {}. It receives nothing more until the reflector "
						+ "is resumed or started again: {}", this.setup.name(), notification, message);
			stop(new LastError(this.setup.time().now(), 0, "ListenerFailed", message), beginning);
			return;
		}
		// I-47: the exception is counted and logged, and delivery continues with the next
		// change
		this.traces.log(line(notification), failure,
				"Reflector '{}': a listener failed on {}. It "
						+ (member.isRemoved() ? "was removed" : "continues with the next change") + ": {}",
				this.setup.name(), notification, name());
	}

	private LoggingEventBuilder line(Notification<T> notification) {
		LoggingEventBuilder line = logger.atError()
			.addKeyValue("reflector", this.setup.name())
			.addKeyValue("listener", name())
			.addKeyValue("reason", "ListenerFailed");
		ResourceKey key = notification.key();
		return (key != null) ? line.addKeyValue("key", key) : line;
	}

	/**
	 * Stops delivery for all members after a failed call. Does nothing if the handler has
	 * started over since the call began, because the failed change is then delivered
	 * again anyway.
	 */
	private void stop(LastError reason, int beginning) {
		synchronized (this.passed) {
			if (beginning == this.beginning) {
				this.members.forEach(ProcessorListener::stopDelivery);
				this.stopped = reason;
			}
		}
	}

	/**
	 * Drops the queues, and delivers nothing until the handler starts over. Called when
	 * another replica delivers.
	 */
	void hold() {
		synchronized (this.passed) {
			this.members.forEach(ProcessorListener::stopDelivery);
			this.held = true;
			this.stopped = null;
			// if the call in progress fails, this no longer stops the delivery
			this.beginning++;
		}
	}

	/**
	 * Does the same as {@link #hold()}, unless the handler has started over since
	 * {@link #beginning} had the given value.
	 */
	private void holdSince(int beginning) {
		synchronized (this.passed) {
			if (beginning == this.beginning) {
				hold();
			}
		}
	}

	boolean isHeld() {
		return this.held;
	}

	/** Returns why delivery to the handler has stopped, or {@code null} if it has not. */
	@Nullable LastError stopped() {
		return this.stopped;
	}

	/**
	 * Lets delivery to the handler start over.
	 * @param begin called with each member, to start it
	 */
	void beginAnew(Consumer<ProcessorListener<T>> begin) {
		synchronized (this.passed) {
			Arrays.fill(this.passed, 0);
			this.beginning++;
			this.members.forEach(begin);
			this.stopped = null;
			this.held = false;
		}
	}

	/**
	 * Returns the notification that marks the end of a complete state in the queue of a
	 * member.
	 */
	Notification.Synced<T> synced(String resourceVersion) {
		synchronized (this.passed) {
			return new Notification.Synced<>(resourceVersion, this.beginning);
		}
	}

	@Override
	public boolean hasSynced() {
		CompletableFuture<Void> synced = synced().toCompletableFuture();
		return synced.isDone() && !synced.isCompletedExceptionally();
	}

	@Override
	public CompletionStage<Void> synced() {
		return all(this.members.stream().map(ProcessorListener::synced).toList());
	}

	@Override
	public Duration resyncPeriod() {
		return first().resync().period();
	}

	@Override
	public CompletionStage<Void> remove() {
		this.members.forEach((member) -> member.remove(null));
		return all(this.members.stream().map(ProcessorListener::ended).toList());
	}

	@Override
	public CompletionStage<Void> drain() {
		this.members.forEach(ProcessorListener::leave);
		return all(this.members.stream().map(ProcessorListener::ended).toList());
	}

	@Override
	public boolean isEndedFromWithin() {
		return this.members.stream().anyMatch(ProcessorListener::isEndedFromWithin);
	}

	private static CompletionStage<Void> all(List<CompletionStage<Void>> stages) {
		CompletionStage<Void> all = (stages.size() == 1) ? stages.get(0) : CompletableFuture
			.allOf(stages.stream().map(CompletionStage::toCompletableFuture).toArray(CompletableFuture<?>[]::new));
		return all.toCompletableFuture().minimalCompletionStage();
	}

	/**
	 * A member's current call of the handler, and the attempts that the handler makes
	 * during this call. Each member has one instance, because it makes one call at a
	 * time.
	 */
	private final class Turn implements DeliveryAttempts {

		private long beganAt;

		private long endedAt;

		private boolean ended;

		/** How often the handler had started over when the call began. */
		private int beginning;

		/** The notification that the handler receives. */
		private @Nullable Notification<T> told;

		void begin(Notification<T> told) {
			this.told = told;
			this.beginning = HandlerGroup.this.beginning;
			attempt();
		}

		private void attempt() {
			this.ended = false;
			this.beganAt = now();
		}

		@Override
		public void failed(Throwable failure) {
			this.ended = true;
			this.endedAt = now();
		}

		@Override
		public void again() {
			if (!HandlerGroup.this.gate.isOpen()) {
				holdSince(this.beginning);
				throw new CancellationException("another replica delivers now, and this one does not try again");
			}
			Notification<T> told = this.told;
			if (told != null && !HandlerGroup.this.gate.isStillAdmitted(told)) {
				throw new CancellationException(
						"the object is delivered in another epoch now, and not tried again in " + "this one");
			}
			HandlerGroup.this.counters.errors.increment();
			HandlerGroup.this.setup.observer().retried(name(), taken());
			attempt();
		}

		/** Returns how long the current attempt has taken. */
		Duration taken() {
			return Duration.ofNanos((this.ended ? this.endedAt : now()) - this.beganAt);
		}

		private long now() {
			return HandlerGroup.this.setup.time().nanoTime();
		}

	}

}
