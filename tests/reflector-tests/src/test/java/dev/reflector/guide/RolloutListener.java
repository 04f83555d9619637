package dev.reflector.guide;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceUpdatedEvent;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class RolloutListener {

	final List<String> heard = new CopyOnWriteArrayList<>();

	@EventListener
	void on(ResourceUpdatedEvent<Deployment> event) {
		int replicas = event.resource().spec().replicas();
		if (event.previous().spec().replicas() != replicas) {
			this.heard.add(event.key() + " scaled to " + replicas);
		}
	}

	@EventListener
	void on(ReflectorSyncedEvent event) {
		this.heard.add(event.reflectorName() + " synced");
	}

}
