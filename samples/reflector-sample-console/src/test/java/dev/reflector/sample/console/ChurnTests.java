package dev.reflector.sample.console;

import java.time.Duration;

import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ChurnTests {

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Widget", "widgets", true)
		.type("apps/v1", "Deployment", "deployments", true)
		.start();

	private final WidgetFactory widgets = new WidgetFactory(this.server.resources("widgets"));

	@AfterEach
	void stop() {
		this.server.close();
	}

	@Test
	void theClusterKeepsChangingUntilItIsStopped() {
		Churn churn = churn(Duration.ofMillis(1));
		churn.start();
		assertThat(churn.isRunning()).isTrue();
		String before = this.server.resourceVersion();
		await().until(() -> Long.parseLong(this.server.resourceVersion()) > Long.parseLong(before) + 100);
		churn.stop();
		assertThat(churn.isRunning()).isFalse();
		assertThat(this.widgets.names()).hasSizeBetween(4, 26);
	}

	@Test
	void withoutAnIntervalTheClusterOnlyChangesByHand() {
		Churn churn = churn(Duration.ZERO);
		churn.start();
		assertThat(churn.isRunning()).isFalse();
		assertThat(this.widgets.names()).hasSize(5);
		assertThat(this.server.resources("deployments").list()).hasSize(3);
	}

	private Churn churn(Duration interval) {
		return new Churn(this.server.resources("deployments"), this.widgets, new ChurnProperties(interval, 0));
	}

}
