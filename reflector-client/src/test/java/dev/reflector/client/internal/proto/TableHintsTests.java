package dev.reflector.client.internal.proto;

import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;

import static org.assertj.core.api.Assertions.assertThat;

class TableHintsTests {

	@Test
	void nativeImagesHaveTheTable() {
		RuntimeHints hints = new RuntimeHints();
		AotServices.factories()
			.load(RuntimeHintsRegistrar.class)
			.forEach((registrar) -> registrar.registerHints(hints, getClass().getClassLoader()));
		assertThat(
				RuntimeHintsPredicates.resource().forResource("dev/reflector/client/internal/proto/kubernetes.table"))
			.accepts(hints);
	}

}
