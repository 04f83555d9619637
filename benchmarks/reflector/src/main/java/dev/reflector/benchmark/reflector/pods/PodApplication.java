package dev.reflector.benchmark.reflector.pods;

import java.util.List;
import java.util.Map;

import dev.reflector.benchmark.client.Probe;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceUpdatedEvent;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;

/**
 * Receives every change in one listener, or in ten, with or without indexes.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class PodApplication {

	@Bean
	@Profile("!ten")
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
		void on(ResourceEvent<Pod> event) {
			count(this.probe, event);
		}

	}

	@Bean
	@Profile("ten")
	TenListeners ten(Probe probe) {
		return new TenListeners(probe);
	}

	@Bean
	@Profile("indexes")
	IndexFunction<Pod> app() {
		return (pod) -> label(pod, "app");
	}

	@Bean
	@Profile("indexes")
	IndexFunction<Pod> tier() {
		return (pod) -> label(pod, "tier");
	}

	private static List<String> label(Pod pod, String name) {
		Map<String, String> labels = pod.metadata().labels();
		String value = (labels != null) ? labels.get(name) : null;
		return (value != null) ? List.of(value) : List.of();
	}

	/** Ten listeners. */
	static final class TenListeners {

		private final Probe probe;

		TenListeners(Probe probe) {
			this.probe = probe;
		}

		@EventListener
		void on1(ResourceEvent<Pod> event) {
			count(this.probe, event);
		}

		@EventListener
		void on2(ResourceEvent<Pod> event) {
			count(this.probe, event);
		}

		@EventListener
		void on3(ResourceEvent<Pod> event) {
			count(this.probe, event);
		}

		@EventListener
		void on4(ResourceEvent<Pod> event) {
			count(this.probe, event);
		}

		@EventListener
		void on5(ResourceEvent<Pod> event) {
			count(this.probe, event);
		}

		@EventListener
		void on6(ResourceEvent<Pod> event) {
			count(this.probe, event);
		}

		@EventListener
		void on7(ResourceEvent<Pod> event) {
			count(this.probe, event);
		}

		@EventListener
		void on8(ResourceEvent<Pod> event) {
			count(this.probe, event);
		}

		@EventListener
		void on9(ResourceEvent<Pod> event) {
			count(this.probe, event);
		}

		@EventListener
		void on10(ResourceEvent<Pod> event) {
			count(this.probe, event);
		}

	}

	private static void count(Probe probe, ResourceEvent<Pod> event) {
		if (event instanceof ResourceAddedEvent) {
			probe.added();
		}
		else if (event instanceof ResourceUpdatedEvent) {
			Pod.Status status = event.resource().status();
			probe.updated(event.resourceVersion(), (status != null) ? status.message() : null);
		}
		else if (event instanceof ResourceDeletedEvent) {
			probe.deleted();
		}
	}

}
