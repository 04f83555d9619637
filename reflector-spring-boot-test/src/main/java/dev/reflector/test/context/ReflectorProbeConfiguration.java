package dev.reflector.test.context;

import java.time.Duration;

import dev.reflector.Reflector;
import dev.reflector.test.EmbeddedApiServer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Defines the beans that observe reflectors.
 */
@Configuration(proxyBeanMethods = false)
class ReflectorProbeConfiguration {

	@Bean
	RecordedEvents reflectorRecordedEvents() {
		return new RecordedEvents();
	}

	@Bean
	EventRecorder reflectorEventRecorder(RecordedEvents events, ConfigurableApplicationContext context) {
		return new EventRecorder(events, context);
	}

	@Bean
	ReflectorProbe reflectorProbe(ObjectProvider<Reflector<?>> reflectors, RecordedEvents events,
			ObjectProvider<EmbeddedApiServer> server, ConfigurableApplicationContext context) {
		Duration timeout = Binder.get(context.getEnvironment())
			.bind("reflector.test.timeout", Duration.class)
			.orElse(Duration.ofSeconds(10));
		return new ReflectorProbe(new ObservedReflectors(reflectors, context.getBeanFactory()), events, server,
				timeout);
	}

}
