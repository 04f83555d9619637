package dev.reflector.integration;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.Random;

import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Configuration;

/**
 * Tests replicas of which the leader delivers, with the faults of {@link ChaosRun}.
 * {@code -Dtests.full=true -Dtests.soak=30m} runs for that long, {@code -Dtests.seed=N}
 * repeats the random choices of a run.
 */
@LongFormOnly
@Timeout(value = 7200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaderChaosIntegrationTests extends WidgetServer {

	private final long seed = Long.getLong("tests.seed", System.nanoTime());

	@Override
	EmbeddedApiServer newServer() {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.start();
	}

	@Test
	void oneLeads() throws Exception {
		List<String> arguments = List.of("--reflector.leader-election.enabled=true",
				"--reflector.leader-election.events=leader", "--reflector.leader-election.name=widgets",
				"--reflector.leader-election.namespace=default", "--reflector.leader-election.identity=IDENTITY",
				"--reflector.leader-election.release-on-cancel=true",
				"--reflector.leader-election.lease-duration=" + ChaosRun.LEASE.toMillis() + "ms",
				"--reflector.leader-election.renew-deadline=" + ChaosRun.RENEW_DEADLINE.toMillis() + "ms",
				"--reflector.leader-election.retry-period=" + ChaosRun.RETRY_PERIOD.toMillis() + "ms");
		try (ChaosRun run = new ChaosRun(this.server, 1, Leader.class, arguments, UnaryOperator.identity(),
				this.seed)) {
			run.disturb(3, Duration.ofMinutes(2));
		}
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigurationPackage
	static class Leader {

	}

}
