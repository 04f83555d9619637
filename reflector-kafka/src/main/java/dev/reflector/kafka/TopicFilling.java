package dev.reflector.kafka;

import java.util.concurrent.atomic.LongAdder;

import dev.reflector.ReflectorStatus;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.internal.store.ResourceVersions;

/**
 * Decides whether a topic lacks objects that have not changed. A durable mirror that was
 * restored delivers only changes. The topic may be new to it, or an earlier process was
 * killed while it published all objects. Thread-safe.
 *
 * @param <T> the type of the objects
 */
final class TopicFilling<T> {

	private final SharedInformer<T> mirror;

	/** How many additions were received, including those that can never be written. */
	private final LongAdder added = new LongAdder();

	private volatile boolean stopping;

	TopicFilling(SharedInformer<T> mirror) {
		this.mirror = mirror;
	}

	void begin() {
		this.stopping = false;
	}

	void end() {
		this.stopping = true;
	}

	void received(Change<T> change) {
		if (change.type() == Change.Type.ADDED) {
			this.added.increment();
		}
	}

	/**
	 * Whether this process fills the topic. Slots never do, because they begin at any
	 * time, and other replicas write to the same topic.
	 */
	boolean isPossible() {
		ReflectorStatus.Shard shard = this.mirror.shard();
		return this.mirror.durability() != null && (shard == null || shard.slots() == null);
	}

	/** Whether this process no longer delivers, so that it need not fill the topic. */
	boolean isEnded() {
		return this.stopping || this.mirror.isStandby();
	}

	/**
	 * Whether the topic certainly lacks objects. Each object that this process has not
	 * received as added must have a record of another process.
	 * @param written how many records were written to the topic
	 * @param own how many of them this process had written before they were counted
	 * @param resourceVersion the version up to which this process has received changes;
	 * changes of newer objects are still queued
	 * @return whether objects are lacking
	 */
	boolean isLacking(long written, long own, String resourceVersion) {
		long objects = this.mirror.lister()
			.stream()
			.map(this.mirror.accessor()::resourceVersion)
			.filter((version) -> !ResourceVersions.isGreater(version, resourceVersion))
			.count();
		return written - own < objects - this.added.sum();
	}

}
