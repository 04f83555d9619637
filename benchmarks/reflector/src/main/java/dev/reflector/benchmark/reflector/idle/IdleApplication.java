package dev.reflector.benchmark.reflector.idle;

import dev.reflector.event.ResourceEvent;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.event.EventListener;

/**
 * Receives no events, because there are no objects.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class IdleApplication {

	@EventListener
	void on(ResourceEvent<IdlePod> event) {
		throw new IllegalStateException("there are no objects");
	}

}
