package dev.reflector.actuate;

import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ReflectorsEndpoint}.
 */
class ReflectorsEndpointTests {

	private final FakeReflector<Object> pods = new FakeReflector<>("pods",
			FakeReflector.status(ReflectorState.WATCHING, true, null, null));

	private final FakeReflector<Object> nodes = new FakeReflector<>("nodes",
			FakeReflector.status(ReflectorState.BACKING_OFF, false, FakeReflector.NOW, FakeReflector.forbidden()));

	private final ReflectorsEndpoint endpoint = new ReflectorsEndpoint(() -> Stream.of(this.pods, this.nodes));

	@Test
	void listsReflectorsInTheOrderOfTheirNames() {
		assertThat(this.endpoint.reflectors().reflectors().keySet()).containsExactly("nodes", "pods");
	}

	@Test
	void unknownReflectorIsNothing() {
		assertThat(this.endpoint.reflector("unknown")).isNull();
		assertThat(this.endpoint.act("unknown", "relist")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "relist", "resync", "pause", "resume" })
	void passesActionOn(String action) {
		assertThat(this.endpoint.act("pods", action)).isEqualTo(this.endpoint.reflector("pods"));
		assertThat(this.pods.actions()).containsExactly(action);
		assertThat(this.nodes.actions()).isEmpty();
	}

	@Test
	void refusesUnknownAction() {
		assertThatExceptionOfType(InvalidEndpointRequestException.class)
			.isThrownBy(() -> this.endpoint.act("pods", "explode"))
			.withMessageContaining("relist, resync, pause, resume, verify");
		assertThat(this.pods.actions()).isEmpty();
	}

}
