package dev.reflector.event;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

import dev.reflector.cache.handler.ResourceEventHandler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GuardedEventHandlerTests {

	@Test
	void passesOnAllThatAHandlerCanHear() {
		List<String> callbacks = Arrays.stream(ResourceEventHandler.class.getDeclaredMethods())
			.filter((method) -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
			.map((method) -> method.getName())
			.toList();
		assertThat(callbacks).contains("onRelist");
		assertThat(Arrays.stream(GuardedEventHandler.class.getDeclaredMethods()).map((method) -> method.getName()))
			.containsAll(callbacks);
	}

}
