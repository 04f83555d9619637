package dev.reflector.guide;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.ResourceKey;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceUpdatedEvent;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class RolloutListener {

	@EventListener
	void on(ResourceUpdatedEvent<Deployment> event) {
		if (event.previous().spec().replicas() != event.resource().spec().replicas()) {
			scaled(event.key(), event.resource().spec().replicas());
		}
	}

	@EventListener
	void on(ReflectorSyncedEvent event) {
		ready(event.reflectorName());
	}

	final List<String> heard = new CopyOnWriteArrayList<>();

	private void scaled(ResourceKey key, int replicas) {
		this.heard.add(key + " scaled to " + replicas);
	}

	private void ready(String reflector) {
		this.heard.add(reflector + " synced");
	}

}
