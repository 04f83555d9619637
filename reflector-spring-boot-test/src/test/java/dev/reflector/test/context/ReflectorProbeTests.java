package dev.reflector.test.context;

import java.time.Duration;

import dev.reflector.Reflector;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ReflectorProbe}.
 */
class ReflectorProbeTests {

	@Test
	void aFailedWaitIsReportedEvenIfTheTestHasSeveralServers() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		try (EmbeddedApiServer eastern = EmbeddedApiServer.builder().build();
				EmbeddedApiServer western = EmbeddedApiServer.builder().build()) {
			beans.registerSingleton("eastern", eastern);
			beans.registerSingleton("western", western);
			ReflectorProbe probe = new ReflectorProbe(
					new ObservedReflectors(beans.getBeanProvider(ResolvableType.forClass(Reflector.class)), beans),
					new RecordedEvents(), beans.getBeanProvider(EmbeddedApiServer.class), Duration.ZERO);
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> probe.await("what never happens", () -> false))
				.withMessageStartingWith("Timed out after 0s waiting for what never happens.");
		}
	}

}
