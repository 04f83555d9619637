package com.example.moved;

import java.util.List;

import dev.reflector.Lister;
import dev.reflector.event.ResourceUpdatedEvent;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class PodPhases {

	private final Lister<Pod> pods;

	PodPhases(Lister<Pod> pods) {
		this.pods = pods;
	}

	@EventListener
	void on(ResourceUpdatedEvent<Pod> event) {
		changed(event.previous().status().phase(), event.resource().status().phase());
	}

	void changed(String before, String now) {
		System.out.println(before + " -> " + now);
	}

	List<Pod> in(String namespace) {
		return this.pods.list(namespace);
	}

}
