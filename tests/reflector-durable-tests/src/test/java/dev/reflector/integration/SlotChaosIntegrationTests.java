package dev.reflector.integration;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import dev.reflector.fixture.LongFormOnly;
import dev.reflector.sharded.WidgetTableReplica;
import dev.reflector.test.EmbeddedApiServer;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests replicas that share slots, with the faults of {@link ChaosRun}.
 * {@code -Dtests.full=true -Dtests.soak=30m} runs for that long, {@code -Dtests.seed=N}
 * repeats the random choices of a run.
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

	/** The table of the guide follows, too. */
	@Test
	void eachSlotHasOneOwner() throws Exception {
		Server database = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
		String url = "jdbc:h2:tcp://localhost:" + database.getPort()
				+ "/mem:widgets;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";
		try {
			eachSlotHasOneOwner(url);
		}
		finally {
			database.stop();
		}
	}

	private void eachSlotHasOneOwner(String url) throws Exception {
		WidgetTableReplica.createTables(url, SLOTS);
		List<String> arguments = List.of("--database=" + url, "--reflector.sharding.enabled=true",
				"--reflector.sharding.assignment=dynamic", "--reflector.sharding.slots=" + SLOTS,
				"--reflector.sharding.leases.group=shop", "--reflector.sharding.leases.namespace=default",
				"--reflector.sharding.leases.identity=IDENTITY",
				"--reflector.sharding.leases.lease-duration=" + ChaosRun.LEASE.toMillis() + "ms",
				"--reflector.sharding.leases.renew-deadline=" + ChaosRun.RENEW_DEADLINE.toMillis() + "ms",
				"--reflector.sharding.leases.retry-period=" + ChaosRun.RETRY_PERIOD.toMillis() + "ms");
		try (ChaosRun run = new ChaosRun(this.server, SLOTS, WidgetTableReplica.class, arguments,
				(sizes) -> WidgetTableReplica.sizes(url), this.seed)) {
			run.disturb(3 + new Random(this.seed).nextInt(3), Duration.ofMinutes(2));
		}
	}

}
