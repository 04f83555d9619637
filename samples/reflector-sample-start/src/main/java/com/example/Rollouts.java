package com.example;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
public class Rollouts {

	private static final Logger logger = LoggerFactory.getLogger(Rollouts.class);

	private final Set<String> unfinished = ConcurrentHashMap.newKeySet();

	@EventListener
	void on(ResourceEvent<Deployment> event) {
		Deployment deployment = event.resource();
		logger.info("{}: {} of {} replicas are ready", event, deployment.ready(), deployment.wanted());
		if (event instanceof ResourceDeletedEvent || deployment.ready() >= deployment.wanted()) {
			this.unfinished.remove(event.key().toString());
		}
		else {
			this.unfinished.add(event.key().toString());
		}
	}

	public Set<String> unfinished() {
		return new TreeSet<>(this.unfinished);
	}

}
