package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

import dev.reflector.autoconfigure.internal.PropertyChecks;
import dev.reflector.leaderelection.LeaderElectionConfig;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the leader election.
 *
 * @param enabled Whether the replicas of the application elect a leader.
 * @param name Name of the Lease, by default 'spring.application.name'.
 * @param namespace Namespace of the Lease. By default 'reflector.api-server.namespace',
 * else the namespace of the kubeconfig's context, else the namespace of the pod.
 * @param identity Identity of this replica, which no other replica may have. By default
 * the host name, which in a pod is the name of the pod, and a random number.
 * @param leaseDuration How long the other replicas wait after the last renewal they have
 * seen before one of them takes over.
 * @param renewDeadline How long a leader continues to lead after it has sent its last
 * successful renewal.
 * @param retryPeriod Pause between two renewals, and the shortest pause between two
 * attempts to take over.
 * @param releaseOnCancel Whether a leader that stops releases the Lease, so that another
 * replica takes over at once.
 * @param events Which replicas deliver changes to their listeners: all replicas, or only
 * the leader. The mirrors of all replicas follow the server.
 * @since 0.1.0
 */
@ConfigurationProperties("reflector.leader-election")
record ReflectorLeaderElectionProperties(@DefaultValue("false") boolean enabled, @Nullable String name,
		@Nullable String namespace, @Nullable String identity, @DefaultValue("15s") Duration leaseDuration,
		@DefaultValue("10s") Duration renewDeadline, @DefaultValue("2s") Duration retryPeriod,
		@DefaultValue("false") boolean releaseOnCancel, @DefaultValue("all") Events events) {

	private static final String PREFIX = "reflector.leader-election.";

	private static final int MAX_NAME = 253;

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if a value is out of its range
	 */
	ReflectorLeaderElectionProperties {
		name = PropertyChecks.textOrNull(name);
		namespace = PropertyChecks.textOrNull(namespace);
		identity = PropertyChecks.textOrNull(identity);
		PropertyChecks.requireName(PREFIX + "name", name);
		PropertyChecks.requireLabel(PREFIX + "namespace", namespace);
		PropertyChecks.requireLeaseTimes(PREFIX, leaseDuration, renewDeadline, retryPeriod);
	}

	/**
	 * Returns the name of the Lease, if it is known.
	 * @param application name of the application, the default name of the Lease
	 * @return the name, empty if it is not known
	 */
	Optional<String> lease(String application) {
		if (this.name != null) {
			return Optional.of(this.name);
		}
		String lease = application.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]+", "-");
		lease = lease.substring(0, Math.min(lease.length(), MAX_NAME)).replaceAll("^[.-]+|[.-]+$", "");
		return lease.isEmpty() ? Optional.empty() : Optional.of(lease);
	}

	LeaderElectionConfig config() {
		return LeaderElectionConfig.builder()
			.leaseDuration(this.leaseDuration)
			.renewDeadline(this.renewDeadline)
			.retryPeriod(this.retryPeriod)
			.releaseOnCancel(this.releaseOnCancel)
			.build();
	}

	/** Which replicas deliver changes to their listeners. */
	enum Events {

		/** Every replica. */
		ALL,

		/** The leader only. */
		LEADER

	}

}
