package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.function.Supplier;

import dev.reflector.autoconfigure.internal.PropertyChecks;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.cache.config.Compatibility;
import dev.reflector.sharding.RendezvousAssignment;
import dev.reflector.sharding.ShardAssignment;
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.StaticAssignment;
import dev.reflector.sharding.membership.ShardMembershipConfig;
import dev.reflector.sharding.source.StaticShard;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;

/**
 * Properties of sharding.
 *
 * @param enabled Whether the replicas of the application divide the mirrored objects
 * among themselves.
 * @param assignment Which replica gets which part: with 'fixed', each of 'count' replicas
 * has its own; with 'dynamic', the live replicas divide all parts among themselves.
 * @param count Number of replicas that divide the mirrored objects with the assignment
 * 'fixed'. All replicas must have the same value.
 * @param index Index of this replica with the assignment 'fixed', counted from 0; by
 * default the number at the end of the host name, as in a StatefulSet.
 * @param slots Number of parts into which the mirrored objects are divided; each replica
 * gets some of them. All replicas must have the same value.
 * @param field Field by which objects are divided. With the namespace, all objects of a
 * namespace belong to the same replica.
 * @param leases Leases by which replicas see each other.
 * @since 0.1.0
 */
@ConfigurationProperties("reflector.sharding")
record ReflectorShardingProperties(@DefaultValue("false") boolean enabled, @DefaultValue("fixed") Assignment assignment,
		@Nullable Integer count, @Nullable Integer index, @DefaultValue("64") int slots,
		@DefaultValue("uid") ShardField field, @DefaultValue Leases leases) {

	private static final String PREFIX = "reflector.sharding.";

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if a value is out of its range
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
	 * Returns whether this replica has a Lease, and delivers only the slots that it owns
	 * through this Lease.
	 */
	boolean isByLease() {
		return this.enabled && this.leases.enabled();
	}

	/**
	 * Checks that the properties and beans of the application work with sharding.
	 * @param reflectors properties of the reflectors
	 * @param fixed whether this replica has a fixed share without a Lease
	 * @param ofLeader whether this replica delivers only while it leads
	 * @param ofSlots whether this replica delivers the slots that it owns
	 * @throws ReflectorConfigurationException if changes would be lost
	 */
	void check(ReflectorProperties reflectors, boolean fixed, boolean ofLeader, boolean ofSlots) {
		// if only the leader delivered its share, changes in the shares of the other
		// replicas would not be delivered
		MutuallyExclusiveConfigurationPropertiesException.<Boolean>throwIfMultipleMatchingValuesIn((entries) -> {
			entries.put(PREFIX + "enabled", fixed || isByLease());
			entries.put("reflector.leader-election.events", ofLeader);
		}, (set) -> Boolean.TRUE.equals(set));
		if (isByLease() && !ofSlots) {
			throw new ReflectorConfigurationException(
					"Replicas should divide the objects by Leases ('reflector.sharding.enabled'), but "
							+ "ReflectorShardingAutoConfiguration is missing.",
					"Do not exclude it, and define no bean of type ShardMembership; or set "
							+ "'reflector.sharding.leases.enabled=false'.");
		}
		if (isByLease() && this.field == ShardField.UID
				&& (!reflectors.events().detectRecreation() || reflectors.compatibility() == Compatibility.CLIENT_GO)) {
			throw new ReflectorConfigurationException(
					"Objects are divided by their UID, so an object that is deleted and created again gets "
							+ "another slot. It would be delivered as an update, and its deletion would be lost.",
					"Set 'reflector.events.detect-recreation=true' and 'reflector.compatibility=none', or "
							+ "'reflector.sharding.field=namespace'.");
		}
	}

	/**
	 * Returns the fixed share of this replica, if sharding is enabled without Leases.
	 * @param hostName supplies the host name of this replica; called only if it is needed
	 * @return the share, or {@code null} if this replica has all objects or uses a Lease
	 * @throws ReflectorConfigurationException if the share cannot be determined
	 */
	@Nullable StaticShard shard(Supplier<String> hostName) {
		if (!this.enabled || this.leases.enabled()) {
			return null;
		}
		if (this.assignment == Assignment.DYNAMIC) {
			throw new ReflectorConfigurationException(
					"With 'reflector.sharding.assignment=dynamic', replicas find each other by their Leases, "
							+ "but Leases are switched off.",
					"Set 'reflector.sharding.leases.enabled=true', or 'reflector.sharding.assignment=fixed'.");
		}
		StaticAssignment assignment = fixed(hostName);
		return (assignment.count() > 1) ? new StaticShard(assignment, this.field) : null;
	}

	/**
	 * Returns the assignment. It decides which replica should own which slot.
	 * @param hostName supplies the host name of this replica; called only if it is needed
	 * @return the assignment
	 * @throws ReflectorConfigurationException if the assignment cannot be determined
	 */
	ShardAssignment assignment(Supplier<String> hostName) {
		return (this.assignment == Assignment.DYNAMIC) ? new RendezvousAssignment(new Slots(this.slots))
				: fixed(hostName);
	}

	private StaticAssignment fixed(Supplier<String> hostName) {
		if (this.count == null) {
			throw new ReflectorConfigurationException("Sharding needs the number of replicas.",
					"Set 'reflector.sharding.count' to the same value in all replicas, or "
							+ "'reflector.sharding.assignment=dynamic', or switch sharding off with "
							+ "'reflector.sharding.enabled=false'.");
		}
		int own = (this.index != null) ? this.index : ordinal(hostName.get(), this.count);
		return new StaticAssignment(own, this.count, new Slots(this.slots));
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
							+ "StatefulSet, or set 'reflector.sharding.assignment=dynamic'.",
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

	/** How slots are assigned to replicas. */
	enum Assignment {

		/** Each replica has a fixed share. */
		FIXED,

		/** The live replicas divide all parts among themselves. */
		DYNAMIC

	}

	/**
	 * Leases through which replicas find each other.
	 *
	 * @param enabled Whether each replica has a Lease, and delivers only the parts that
	 * it owns by this Lease. Without Leases, a missing replica or a duplicate index is
	 * not noticed, and events have no epoch.
	 * @param namespace Namespace of the Leases, by default
	 * 'reflector.api-server.namespace', that of the kubeconfig's context, or the
	 * namespace of the pod.
	 * @param group Name of the group of replicas, by default 'spring.application.name'.
	 * @param identity Identity of this replica, which no other replica may have; by
	 * default the host name.
	 * @param leaseDuration How long the other replicas wait after the last renewal they
	 * have seen before they take over.
	 * @param renewDeadline How long a replica continues to deliver after it has sent its
	 * last successful renewal.
	 * @param retryPeriod Pause between two renewals.
	 * @param unownedAfter How long a part may have no replica that delivers it before
	 * every replica reports this.
	 */
	record Leases(@DefaultValue("true") boolean enabled, @Nullable String namespace, @Nullable String group,
			@Nullable String identity, @DefaultValue("15s") Duration leaseDuration,
			@DefaultValue("10s") Duration renewDeadline, @DefaultValue("2s") Duration retryPeriod,
			@DefaultValue("45s") Duration unownedAfter) {

		private static final String PREFIX = ReflectorShardingProperties.PREFIX + "leases.";

		/**
		 * Checks the values.
		 * @throws IllegalArgumentException if a value is out of its range
		 */
		Leases {
			namespace = PropertyChecks.textOrNull(namespace);
			group = PropertyChecks.textOrNull(group);
			identity = PropertyChecks.textOrNull(identity);
			PropertyChecks.requireLabel(PREFIX + "namespace", namespace);
			PropertyChecks.requireLabel(PREFIX + "group", group);
			PropertyChecks.requireName(PREFIX + "identity", identity);
			PropertyChecks.requireLeaseTimes(PREFIX, leaseDuration, renewDeadline, retryPeriod);
			PropertyChecks.requirePositive(PREFIX + "unowned-after", unownedAfter);
			PropertyChecks.require(unownedAfter.compareTo(leaseDuration) > 0, PREFIX + "unowned-after", unownedAfter,
					"It must be greater than the lease duration (" + leaseDuration.toMillis() + " ms).");
		}

		ShardMembershipConfig config() {
			return ShardMembershipConfig.builder()
				.leaseDuration(this.leaseDuration)
				.renewDeadline(this.renewDeadline)
				.retryPeriod(this.retryPeriod)
				.unownedAfter(this.unownedAfter)
				.build();
		}

	}

}
