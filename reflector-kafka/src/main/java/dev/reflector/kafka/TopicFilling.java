package dev.reflector.kafka;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.informer.SharedInformer;

/**
 * Decides whether all objects must be published although they have not changed. A durable
 * mirror that was restored delivers only changes. The topic may be new to it, or an
 * earlier process was killed while it filled the topic. Thread-safe.
 *
 * @param <T> the type of the objects
 */
final class TopicFilling<T> {

	private final SharedInformer<T> mirror;

	/** How many additions were received, including those that can never be written. */
	private final LongAdder added = new LongAdder();

	private volatile boolean done;

	TopicFilling(SharedInformer<T> mirror) {
		this.mirror = mirror;
	}

	void received(Change<T> change) {
		if (change.type() == Change.Type.ADDED) {
			this.added.increment();
		}
	}

	/**
	 * Whether the topic must still be looked at. Slots never fill it, because they begin
	 * at any time, and other replicas write to the same topic.
	 */
	boolean isOpen() {
		ReflectorStatus.Shard shard = this.mirror.shard();
		return !this.done && this.mirror.durability() != null && (shard == null || shard.slots() == null);
	}

	/** Notes that the topic has all objects. */
	void done() {
		this.done = true;
	}

	/**
	 * Returns the objects to publish: all of them if the topic certainly lacks some,
	 * otherwise none. Each object that this process has not received as added must have a
	 * record of another process.
	 * @param written how many records were written to the topic
	 * @param own how many of them this process has written
	 * @return the objects
	 */
	List<T> objects(long written, long own) {
		List<T> objects = this.mirror.lister().list();
		return (written - own < objects.size() - this.added.sum()) ? objects : List.of();
	}

	/** Returns the change to publish for an object that has not changed. */
	Change<T> again(T object) {
		return new Change<>(Change.Type.UPDATED, this.mirror.accessor().key(object), object, object, version(object),
				false, false, Change.Cause.RESYNC);
	}

	/**
	 * Decides whether to send the record of an object that has not changed. If the object
	 * has changed in the meantime, the record is left out, because the change is
	 * published, too.
	 */
	PendingRecords.Due due(ResourceKey key, T object) {
		if (this.mirror.isStandby()) {
			return PendingRecords.Due.GIVE_UP;
		}
		T present = this.mirror.lister().get(key);
		boolean same = present == object
				|| (present != null && !version(object).isEmpty() && version(object).equals(version(present)));
		return same ? PendingRecords.Due.SEND : PendingRecords.Due.LEAVE_OUT;
	}

	private String version(T object) {
		return this.mirror.accessor().resourceVersion(object);
	}

}
