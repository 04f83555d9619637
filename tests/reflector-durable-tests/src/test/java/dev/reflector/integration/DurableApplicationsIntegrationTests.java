package dev.reflector.integration;

import java.util.List;

import dev.reflector.fixture.LongFormOnly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two applications that keep their snapshots in one place, as they have the same
 * reflector.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DurableApplicationsIntegrationTests extends DurableScenario {

	@Test
	@LongFormOnly
	void theSecondWaitsUntilTheFirstIsGoneAndIsDown() {
		MirrorApplication shop = application("spring.application.name=shop");
		try (shop) {
			shop.awaitEqualTo(this.widgets);
			awaitStored(shop);
			try (MirrorApplication billing = application("spring.application.name=billing",
					"spring.http.clients.reactive.connector=jdk")) {
				await().until(() -> "shop".equals(billing.reflector.durability().heldBy()));
				create("d");
				shop.awaitEqualTo(this.widgets);
				await().until(() -> billing.mirror().equals(MirrorApplication.contentOf(this.widgets)));
				assertThat(kinds(billing)).isEmpty();
				assertThat(health(billing)).isEqualTo(Status.DOWN);
				awaitStored(shop);
				shop.close();
				change("a", 17);
				await().until(() -> kinds(billing).equals(List.of("~a>a")));
				assertThat(health(billing)).isEqualTo(Status.UP);
			}
		}
	}

	private static Status health(MirrorApplication application) {
		CompositeHealthContributor reflectors = application.context.getBean("reflectorsHealthContributor",
				CompositeHealthContributor.class);
		return ((HealthIndicator) reflectors.getContributor("widgets")).health().getStatus();
	}

}
