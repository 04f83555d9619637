package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.reflector.autoconfigure.internal.PropertyChecks;
import dev.reflector.autoconfigure.connection.ApiServerProperties;
import dev.reflector.client.credentials.InClusterConfig;
import dev.reflector.leaderelection.LeaderElectionConfig;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the leader election.
 *
 * @param enabled Whether the replicas of the application elect a leader.
 * @param name Name of the Lease, by default 'spring.application.name'.
 * @param namespace Namespace of the Lease, by default 'reflector.api-server.namespace',
 * or else the namespace of the pod.
 * @param identity Identity of this replica, which no other replica may have. By default
 * the host name, which is the name of the pod, and a random number.
 * @param leaseDuration How long the other replicas wait after the last renewal that they
 * have seen, before one of them takes over.
 * @param renewDeadline How long a leader leads after it has sent its last successful
 * renewal.
 * @param retryPeriod Pause between two renewals, and the shortest pause between two
 * attempts to take over.
 * @param releaseOnCancel Whether a leader that stops releases the Lease, so that another
 * replica takes over at once.
 * @param events Which replicas tell their listeners of changes: all of them, or the
 * leader only. The mirrors of the others follow the server all the same.
 * @since 0.1.0
 */
@ConfigurationProperties("reflector.leader-election")
record ReflectorLeaderElectionProperties(@DefaultValue("false") boolean enabled, @Nullable String name,
		@Nullable String namespace, @Nullable String identity, @DefaultValue("15s") Duration leaseDuration,
		@DefaultValue("10s") Duration renewDeadline, @DefaultValue("2s") Duration retryPeriod,
		@DefaultValue("false") boolean releaseOnCancel, @DefaultValue("all") Events events) {

	private static final String PREFIX = "reflector.leader-election.";

	private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");

	private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException when one is out of its range
	 */
	ReflectorLeaderElectionProperties {
		name = PropertyChecks.textOrNull(name);
		namespace = PropertyChecks.textOrNull(namespace);
		identity = PropertyChecks.textOrNull(identity);
		requireName(NAME, "name", name);
		requireName(NAMESPACE, "namespace", namespace);
		PropertyChecks.requirePositive(PREFIX + "lease-duration", leaseDuration);
		PropertyChecks.requirePositive(PREFIX + "renew-deadline", renewDeadline);
		PropertyChecks.requirePositive(PREFIX + "retry-period", retryPeriod);
		PropertyChecks.require(leaseDuration.getNano() == 0, PREFIX + "lease-duration", leaseDuration,
				"It must be whole seconds.");
		PropertyChecks.require(leaseDuration.compareTo(renewDeadline) > 0, PREFIX + "lease-duration", leaseDuration,
				"It must be greater than the renew deadline (" + renewDeadline.toMillis() + " ms).");
		PropertyChecks.require(renewDeadline.multipliedBy(5).compareTo(retryPeriod.multipliedBy(6)) > 0,
				PREFIX + "renew-deadline", renewDeadline,
				"It must be greater than 1.2 times the retry period (" + retryPeriod.toMillis() + " ms).");
	}

	private static void requireName(Pattern pattern, String key, @Nullable String name) {
		PropertyChecks.require(name == null || pattern.matcher(name).matches(), PREFIX + key, String.valueOf(name),
				"It must be lower-case letters, digits and hyphens, as Kubernetes names are.");
	}

	/**
	 * The namespace of the Lease, as far as it can be told.
	 * @param apiServer may name the namespace of the application
	 * @return the namespace
	 */
	Optional<String> namespace(ApiServerProperties apiServer) {
		String known = (this.namespace != null) ? this.namespace : apiServer.namespace();
		return (known != null) ? Optional.of(known) : InClusterConfig.namespace(InClusterConfig.SERVICE_ACCOUNT_FOLDER);
	}

	LeaderElectionConfig config() {
		return new LeaderElectionConfig(this.leaseDuration, this.renewDeadline, this.retryPeriod, this.releaseOnCancel);
	}

	/** Which replicas tell their listeners of changes. */
	enum Events {

		/** Every replica. */
		ALL,

		/** The one that leads. */
		LEADER

	}

}
