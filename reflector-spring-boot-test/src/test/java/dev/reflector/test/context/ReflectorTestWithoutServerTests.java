package dev.reflector.test.context;

import com.example.widgets.Stock;
import com.example.widgets.Widget;
import com.example.widgets.WidgetApplication;
import dev.reflector.Reflector;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for a {@link ReflectorTest} that does without the embedded server.
 */
@ReflectorTest(properties = { "KUBECONFIG=", "user.home=/nonexistent", "KUBERNETES_SERVICE_HOST=" })
@AutoConfigureEmbeddedApiServer(enabled = false)
@ContextConfiguration(classes = WidgetApplication.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReflectorTestWithoutServerTests {

	@Test
	void thereIsAProbeAndNoServer(@Autowired ApplicationContext context, @Autowired ReflectorProbe probe,
			@Autowired Reflector<Widget> reflector) {
		assertThat(context.getBeanProvider(EmbeddedApiServer.class).stream()).isEmpty();
		assertThat(context.getBeanProvider(ListerWatcher.class).stream()).isEmpty();
		assertThat(context.getBeanProvider(Stock.class).stream()).isEmpty();
		assertThat(reflector.hasSynced()).isFalse();
		probe.awaitSynced();
		assertThatIllegalStateException().isThrownBy(probe::awaitCaughtUp)
			.withMessageContaining("@AutoConfigureEmbeddedApiServer");
	}

}
