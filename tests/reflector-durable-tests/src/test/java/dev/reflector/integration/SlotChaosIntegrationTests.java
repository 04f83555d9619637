package dev.reflector.integration;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Replicas that share slots, and what may happen to them and to the server:
 * {@link ChaosRun}. {@code -Dtests.full=true -Dtests.soak=30m} goes on for that long,
 * {@code -Dtests.seed=N} repeats what was chosen.
 */
@LongFormOnly
@Timeout(value = 7200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlotChaosIntegrationTests extends WidgetServer {

	private static final int SLOTS = 16;

	private final long seed = Long.getLong("tests.seed", System.nanoTime());

	@Override
	EmbeddedApiServer newServer() {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.sharding(new Random(this.seed).nextBoolean())
			.start();
	}

	@Test
	void eachSlotHasOneOwner() throws Exception {
		List<String> arguments = List.of("--reflector.sharding.enabled=true", "--reflector.sharding.assignment=dynamic",
				"--reflector.sharding.slots=" + SLOTS, "--reflector.sharding.leases.group=shop",
				"--reflector.sharding.leases.namespace=default", "--reflector.sharding.leases.identity=IDENTITY",
				"--reflector.sharding.leases.lease-duration=" + ChaosRun.LEASE.toMillis() + "ms",
				"--reflector.sharding.leases.renew-deadline=" + ChaosRun.RENEW_DEADLINE.toMillis() + "ms",
				"--reflector.sharding.leases.retry-period=" + ChaosRun.RETRY_PERIOD.toMillis() + "ms");
		try (ChaosRun run = new ChaosRun(this.server, SLOTS, arguments, this.seed)) {
			run.disturb(3 + new Random(this.seed).nextInt(3), Duration.ofMinutes(2));
		}
	}

}
