package dev.reflector.test.context;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * Defines the time source that a test moves.
 */
@Configuration(proxyBeanMethods = false)
class ManualTimeConfiguration {

	@Bean
	@Primary
	ManualTimeSource reflectorManualTimeSource() {
		return new ManualTimeSource();
	}

}
