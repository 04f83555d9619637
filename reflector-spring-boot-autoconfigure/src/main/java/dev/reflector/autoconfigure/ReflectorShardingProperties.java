package dev.reflector.autoconfigure;

import java.util.function.Supplier;

import dev.reflector.autoconfigure.internal.PropertyChecks;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.StaticAssignment;
import dev.reflector.sharding.source.StaticShard;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of sharding.
 *
 * @param enabled Whether the replicas of the application divide the mirrored objects
 * among them.
 * @param count Number of replicas that divide the mirrored objects. All replicas must
 * have the same value; to change it, stop all of them.
 * @param index Which of the replicas that divide the mirrored objects this is, counted
 * from 0; by default the number at the end of the host name, as pods of a StatefulSet
 * have it.
 * @param slots Number of parts into which the mirrored objects are divided; each replica
 * gets some of them. All replicas must have the same value.
 * @param field What objects are divided by. With the namespace, all objects of a
 * namespace belong to the same replica.
 * @since 0.1.0
 */
@ConfigurationProperties("reflector.sharding")
record ReflectorShardingProperties(@DefaultValue("false") boolean enabled, @Nullable Integer count,
		@Nullable Integer index, @DefaultValue("64") int slots, @DefaultValue("uid") ShardField field) {

	private static final String PREFIX = "reflector.sharding.";

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when one is out of its range
	 */
	ReflectorShardingProperties {
		PropertyChecks.require(slots >= 1 && slots <= Slots.MAX, PREFIX + "slots", slots,
				"It must be from 1 to " + Slots.MAX + ".");
		if (count != null) {
			PropertyChecks.require(count >= 1 && count <= slots, PREFIX + "count", count,
					"It must be from 1 to the number of slots (" + slots + "): each replica needs a slot.");
		}
		if (index != null) {
			PropertyChecks.require(index >= 0, PREFIX + "index", index, "It must not be negative.");
			PropertyChecks.require(count == null || index < count, PREFIX + "index", index,
					"It is counted from 0, so it must be less than the number of replicas (" + count + ").");
		}
	}

	/**
	 * The share of this replica.
	 * @param hostName gives the host name of this replica; asked only when it is needed
	 * @return the share, or {@code null} when this replica has everything
	 * @throws ReflectorConfigurationException when it cannot be told
	 */
	@Nullable StaticShard shard(Supplier<String> hostName) {
		if (!this.enabled) {
			return null;
		}
		if (this.count == null) {
			throw new ReflectorConfigurationException("Sharding needs the number of replicas.",
					"Set 'reflector.sharding.count' to the same value in all replicas, or switch sharding off with "
							+ "'reflector.sharding.enabled=false'.");
		}
		int own = (this.index != null) ? this.index : ordinal(hostName.get(), this.count);
		return (this.count > 1)
				? new StaticShard(new StaticAssignment(own, this.count, new Slots(this.slots)), this.field) : null;
	}

	private static int ordinal(String hostName, int count) {
		int ordinal;
		try {
			ordinal = StaticAssignment.ordinal(hostName);
		}
		catch (IllegalArgumentException ex) {
			throw new ReflectorConfigurationException(
					"Sharding needs to know which replica this is: 'reflector.sharding.index' is not set, and the host "
							+ "name '" + hostName + "' does not end with a number, as those of a StatefulSet do "
							+ "(shop-2).",
					"Set 'reflector.sharding.index' to another value in each replica, or run the replicas as a "
							+ "StatefulSet.",
					ex);
		}
		if (ordinal >= count) {
			throw new ReflectorConfigurationException(
					"The host name '" + hostName + "' is that of replica " + ordinal + ", counted from 0, but "
							+ "'reflector.sharding.count' is " + count + ".",
					"Stop all replicas, and start them with 'reflector.sharding.count' set to the number of replicas "
							+ "of the StatefulSet. If its ordinals do not start with 0, set "
							+ "'reflector.sharding.index'.");
		}
		return ordinal;
	}

}
