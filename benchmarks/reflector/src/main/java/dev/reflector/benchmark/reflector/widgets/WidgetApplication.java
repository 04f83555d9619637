package dev.reflector.benchmark.reflector.widgets;

import dev.reflector.benchmark.client.Probe;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceUpdatedEvent;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/**
 * Receives every change in one listener.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class WidgetApplication {

	@Bean
	OneListener one(Probe probe) {
		return new OneListener(probe);
	}

	/** One listener. */
	static final class OneListener {

		private final Probe probe;

		OneListener(Probe probe) {
			this.probe = probe;
		}

		@EventListener
		void on(ResourceEvent<Widget> event) {
			count(this.probe, event);
		}

	}

	private static void count(Probe probe, ResourceEvent<Widget> event) {
		if (event instanceof ResourceAddedEvent) {
			probe.added();
		}
		else if (event instanceof ResourceUpdatedEvent) {
			Widget.Status status = event.resource().status();
			probe.updated(event.resourceVersion(), (status != null) ? status.message() : null);
		}
		else if (event instanceof ResourceDeletedEvent) {
			probe.deleted();
		}
	}

}
