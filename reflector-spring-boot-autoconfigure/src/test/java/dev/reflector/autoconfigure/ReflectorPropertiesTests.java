package dev.reflector.autoconfigure;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

class ReflectorPropertiesTests {

	@Test
	void e02_aHalfOpenConnectionIsNoticedWithinAMinuteAndAHalfButNotBetweenTwoBookmarks() {
		ReflectorProperties defaults = new Binder(new MapConfigurationPropertySource()).bindOrCreate("reflector",
				ReflectorProperties.class);
		assertThat(defaults.apiServer().idleTimeout()).isBetween(Duration.ofSeconds(70), Duration.ofSeconds(89));
	}

}
