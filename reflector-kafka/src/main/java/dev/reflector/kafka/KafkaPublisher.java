package dev.reflector.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.reflector.PrintableText;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryStoppedException;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.SharedInformer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the changes of a reflector to a Kafka topic. The key of a record is the key
 * of the object as text. The value is the object as JSON, or {@code null} for a deletion.
 * {@link PublishedHeaders} contain the other facts of the change.
 * <p>
 * <b>Order.</b> A record is sent only after the broker has acknowledged the previous
 * record of the same key. Therefore, the records of one object are written in the order
 * of its changes, even after failures. Records of different objects may be in flight at
 * the same time.
 * <p>
 * <b>Completion.</b> A call returns when its record is queued. A durable mirror counts
 * the change as completed when the broker has acknowledged the record: see
 * {@link #completed()}. A record may be written more than once.
 * <p>
 * <b>Failures.</b> A record that could not be written is sent again until the broker has
 * it, or until another replica takes over the delivery. The number of records in flight
 * is limited. At the limit, the next call waits, the queue of the handler fills, and
 * finally the mirror waits. If the broker can never accept a record, for example because
 * it is too large, the record is logged and skipped, or stops the delivery with a
 * {@link DeliveryStoppedException}, depending on the settings. An object that cannot be
 * written as JSON is always skipped, because no setting and no further attempt would
 * help, and it must not delay other objects.
 * <p>
 * <b>Threads.</b> Only one reflector may call the publisher. Any thread may read the
 * status.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class KafkaPublisher<T> implements ResourceEventHandler<T>, AutoCloseable {

	private final SharedInformer<T> mirror;

	private final String reflector;

	private final ChangeRecords<T> records;

	private final PublishedTopic topic;

	private final boolean lossy;

	private final TimeSource time;

	private final ProducerHandle producer;

	private final PendingRecords pending;

	private final @Nullable Reconciliation reconciliation;

	private final TopicFilling<T> filling;

	private final PublisherJournal journal;

	private final AtomicBoolean resetDue = new AtomicBoolean();

	/**
	 * The time since which changes have been waiting for a topic that does not exist or
	 * cannot be read, or {@code null} if no change is waiting.
	 */
	private volatile @Nullable Instant topicAwaitedSince;

	private final RejectedRecord rejected = new RejectedRecord();

	KafkaPublisher(SharedInformer<T> mirror, ChangeRecords<T> records, PublishedTopic topic, ProducerHandle producer,
			PublisherSettings settings, @Nullable Reconciliation reconciliation) {
		this.mirror = mirror;
		this.reflector = mirror.name();
		this.records = records;
		this.topic = topic;
		this.lossy = settings.lossy();
		this.time = settings.time();
		this.producer = producer;
		this.reconciliation = reconciliation;
		this.filling = new TopicFilling<>(mirror);
		this.journal = new PublisherJournal(this.reflector, records.topic(), settings.time());
		this.pending = new PendingRecords(this.reflector, settings.maxInFlight(), producer::send, new Outcomes(),
				settings.time());
	}

	/**
	 * Returns the name of the reflector whose changes are published.
	 * @return the name
	 */
	public String reflector() {
		return this.reflector;
	}

	/**
	 * Returns the name of the topic.
	 * @return the name
	 */
	public String topic() {
		return this.records.topic();
	}

	@Override
	public String name() {
		return "publisher to the Kafka topic '" + topic() + "'";
	}

	@Override
	public void onChange(Change<T> change) {
		this.filling.received(change);
		this.rejected.throwPending();
		try {
			awaitTopic();
			if (change.cause() == Change.Cause.RESYNC) {
				this.topic.publishedAgain();
			}
			this.pending.add(record(change), change.type(),
					() -> this.mirror.mayDeliver(change) ? PendingRecords.Due.SEND : PendingRecords.Due.GIVE_UP);
			this.rejected.taken();
		}
		catch (SerializationException ex) {
			this.rejected.taken();
			this.journal.passedOver(change.type() + " " + change.key(), this.journal.refused(ex), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted before " + change.key() + " was sent to Kafka", ex);
		}
		this.rejected.throwPending();
	}

	/** Waits until the topic exists. The waiting time counts as lag. */
	private void awaitTopic() throws InterruptedException {
		if (this.topic.isReady()) {
			return;
		}
		this.topicAwaitedSince = this.time.now();
		try {
			this.topic.await(this.journal::failed);
		}
		finally {
			this.topicAwaitedSince = null;
		}
	}

	private ProducerRecord<String, byte[]> record(Change<T> change) {
		try {
			return this.records.of(change);
		}
		catch (RuntimeException ex) {
			throw new SerializationException("the object cannot be written as JSON: " + ErrorMessages.ofObject(ex));
		}
	}

	/**
	 * Returns a stage that completes when the broker has acknowledged all records that
	 * were queued before this call.
	 * @return the stage; it completes exceptionally if a record can never be accepted
	 */
	@Override
	public CompletionStage<Void> completed() {
		DeliveryStoppedException rejected = this.rejected.pending();
		return (rejected != null) ? CompletableFuture.failedFuture(rejected) : this.pending.settled();
	}

	@Override
	public void onStart() {
		this.filling.begin();
	}

	@Override
	public void onStop() {
		this.filling.end();
	}

	/**
	 * Lets the mirror deliver all objects again if the topic lacks some, because a mirror
	 * that was restored delivers only changes. Then deletes objects from the topic that
	 * no longer exist, if {@code reflector.publish.kafka.reconcile} is set.
	 * @param resourceVersion version of the mirror
	 */
	@Override
	public void onSynced(String resourceVersion) {
		if (this.reconciliation == null && !this.filling.isPossible()) {
			return;
		}
		try {
			awaitTopic();
			// wait for the records in flight, because they are not on the topic yet
			boolean settled = this.pending.awaitSettled();
			this.rejected.throwPending();
			if (!settled || this.mirror.isStandby()) {
				return;
			}
			if (this.filling.isPossible()) {
				fill(resourceVersion);
			}
			if (this.reconciliation != null) {
				reconcile(this.reconciliation);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.topicAwaitedSince = null;
		}
	}

	private void fill(String resourceVersion) throws InterruptedException {
		long own = this.journal.acknowledged();
		Long written = this.topic.awaitWritten(this::noteOutage, this.filling::isEnded);
		this.topicAwaitedSince = null;
		if (written != null && this.filling.isLacking(written, own, resourceVersion)) {
			this.journal.lacking(written);
			this.mirror.resync();
		}
	}

	private void reconcile(Reconciliation reconciliation) throws InterruptedException {
		reconciliation.run(this::noteOutage, (key, partition, gone) -> {
			this.topicAwaitedSince = null;
			this.pending.add(this.records.gone(key, partition), Change.Type.DELETED,
					() -> (gone.getAsBoolean() && !this.mirror.isStandby()) ? PendingRecords.Due.SEND
							: PendingRecords.Due.LEAVE_OUT);
		});
	}

	private void noteOutage(Throwable failure) {
		this.topicAwaitedSince = Objects.requireNonNullElseGet(this.topicAwaitedSince, this.time::now);
		this.journal.failed(failure);
	}

	/**
	 * Returns the current status.
	 * @return the status
	 */
	public PublisherStatus status() {
		Duration lag = lag();
		return this.journal.status(this.pending.size(), lag);
	}

	/**
	 * Returns how long the oldest change of this publisher has been waiting for its
	 * acknowledgement.
	 * @return the time, zero if no change is waiting
	 */
	public Duration lag() {
		Instant awaited = this.topicAwaitedSince;
		Duration age = this.pending.age();
		Duration waited = (awaited != null) ? Duration.between(awaited, this.time.now()) : Duration.ZERO;
		return (waited.compareTo(age) > 0) ? waited : age;
	}

	/**
	 * Whether a record that can never be accepted has stopped the delivery. After the
	 * delivery is resumed, the result stays {@code true} until the next change is
	 * published. While the delivery is stopped, records that were in flight are still
	 * written.
	 * @return whether the delivery is stopped
	 */
	public boolean isStopped() {
		return this.rejected.isStopped();
	}

	/** Stops sending records. Failed records are not sent again. */
	@Override
	public void close() {
		this.pending.close();
	}

	/** Waits until all records are acknowledged, for a limited time. */
	void awaitAcknowledged(Duration timeout) throws InterruptedException {
		this.pending.await(timeout);
	}

	/** Returns a text about the current problem of the topic, or {@code null}. */
	@Nullable String topicProblem() {
		return this.topic.problem();
	}

	/**
	 * Checks the topic. Logs a problem when it is found, and when it is solved. Called by
	 * one thread.
	 */
	void checkTopic() throws InterruptedException {
		this.journal.checked(this.topic.look());
	}

	private PendingRecords.Verdict refuse(Object subject, Throwable failure) {
		String message = this.journal.refused(failure);
		if (this.lossy) {
			this.journal.passedOver(subject, message, failure);
			return PendingRecords.Verdict.PASS_OVER;
		}
		this.rejected.set(new DeliveryStoppedException(
				PrintableText.of(subject) + " can never be written to the topic '" + topic() + "': " + message,
				failure));
		return PendingRecords.Verdict.STOP;
	}

	/** Receives the outcomes of the records. Called by the threads that send records. */
	private final class Outcomes implements PendingRecords.Outcomes {

		@Override
		public void acknowledged(Change.Type type) {
			KafkaPublisher.this.journal.acknowledged(type);
		}

		@Override
		public PendingRecords.Verdict failed(ProducerRecord<String, byte[]> record, Throwable failure) {
			Throwable cause = SendFailures.unwrapped(failure);
			if (SendFailures.isRefusal(cause)) {
				return refuse(record.key(), cause);
			}
			KafkaPublisher.this.journal.failed(cause);
			if (SendFailures.mayEndProducer(cause)) {
				KafkaPublisher.this.resetDue.set(true);
			}
			return PendingRecords.Verdict.SEND_AGAIN;
		}

		@Override
		public void again() {
			KafkaPublisher.this.journal.retried();
			if (KafkaPublisher.this.resetDue.compareAndSet(true, false)) {
				KafkaPublisher.this.producer.reset();
			}
		}

	}

}
