package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.Locale;

import dev.reflector.autoconfigure.internal.PropertyChecks;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.internal.registration.DurableSnapshots;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.SnapshotOptions.OnMismatch;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.event.DeliveryPolicy;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of durable mirrors.
 *
 * @param enabled Whether mirrors are durable: after a restart, listeners receive only the
 * changes since then, instead of all objects. Needs a store.
 * @param resume Whether a watch continues from the snapshot while the server still has
 * the history, or each start lists and compares.
 * @param onMismatch What to do with a snapshot of another cluster, type or format, or
 * with a damaged one: set it aside and deliver everything as added, or do not start the
 * reflector. After other differences, a list is compared with the snapshot.
 * @param acceptLoss Whether a change counts as completed although a listener has failed
 * on it. Without this, 'reflector.events.on-error' must be 'stop' or 'retry-then-stop'.
 * @param commitInterval Shortest time between two commits of a reflector. Changes in
 * between are stored together. After a long commit, the time is 15 times the duration of
 * that commit, at most 8 s.
 * @param writeAhead Whether an added object is written before its listeners are called,
 * so that its deletion can be delivered after a crash, even if the server has forgotten
 * it.
 * @param announceTimeout How long an added object waits to be stored before it is
 * delivered, while the store accepts nothing. After that, added objects are delivered
 * without being stored first, until the store works again.
 * @param behindAfter For how long a snapshot may be behind the mirror before health
 * reports the reflector as down; zero for no limit.
 * @since 0.1.0
 */
@ConfigurationProperties("reflector.snapshot")
record ReflectorSnapshotProperties(@DefaultValue("false") boolean enabled, @DefaultValue("auto") Resume resume,
		@DefaultValue("relist") OnMismatch onMismatch, @DefaultValue("false") boolean acceptLoss,
		@DefaultValue("100ms") Duration commitInterval, @DefaultValue("true") boolean writeAhead,
		@DefaultValue("1s") Duration announceTimeout, @DefaultValue("0") Duration behindAfter) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	ReflectorSnapshotProperties {
		PropertyChecks.requireNotNegative("reflector.snapshot.commit-interval", commitInterval);
		PropertyChecks.requirePositive("reflector.snapshot.announce-timeout", announceTimeout);
		PropertyChecks.requireNotNegative("reflector.snapshot.behind-after", behindAfter);
	}

	/**
	 * Rejects a policy that would store a change as completed although a listener has
	 * failed on it.
	 * @param policy what happens after a listener has failed
	 * @throws ReflectorConfigurationException if such a change would be lost
	 */
	void check(DeliveryPolicy policy) {
		if (this.enabled && !this.acceptLoss && policy.onError().isLossy()) {
			throw new ReflectorConfigurationException(
					"Snapshots are switched on ('reflector.snapshot.enabled'), but 'reflector.events.on-error' is '"
							+ policy.onError().name().toLowerCase(Locale.ROOT)
							+ "': a change on which a listener has failed would be stored as completed, and be lost.",
					"Set 'reflector.events.on-error' to 'stop' or 'retry-then-stop'. If such a loss is acceptable, set "
							+ "'reflector.snapshot.accept-loss=true'.");
		}
	}

	/**
	 * Returns the settings, which apply to the snapshots of all reflectors.
	 * @param application name of the application
	 * @return the settings
	 */
	DurableSnapshots.Settings settings(String application) {
		return new DurableSnapshots.Settings() {

			@Override
			public <T> SnapshotOptions<T> options(SnapshotStore store, SnapshotCodec<T> codec) {
				return SnapshotOptions.builder(store, codec)
					.resume(resume() == Resume.AUTO)
					.onMismatch(onMismatch())
					.commitInterval(commitInterval())
					.writeAhead(writeAhead())
					.application(application)
					.announceTimeout(announceTimeout())
					.build();
			}

		};
	}

	/** Whether a watch continues from a snapshot. */
	enum Resume {

		/**
		 * A watch continues from the snapshot if the server still has the history since
		 * then.
		 */
		AUTO,

		/**
		 * No watch continues from the snapshot. Each start lists, and compares the list
		 * with the snapshot.
		 */
		NEVER

	}

}
