package com.example.shop;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.event.ResourceDeadLetterEvent;
import dev.reflector.event.ResourceEvent;

import org.springframework.context.event.EventListener;

/**
 * Listens, and cannot handle everything.
 */
class Shipping {

	final List<String> heard = new CopyOnWriteArrayList<>();

	final List<String> unshipped = new CopyOnWriteArrayList<>();

	final Set<String> broken = ConcurrentHashMap.newKeySet();

	final Set<String> threads = ConcurrentHashMap.newKeySet();

	@EventListener
	@org.springframework.core.annotation.Order(1)
	void ship(ResourceEvent<Order> event) {
		this.threads.add(Thread.currentThread().toString());
		this.heard.add("ship " + event.key().name() + " @ " + event.resourceVersion());
		if (this.broken.contains(event.key().name())) {
			throw new IllegalStateException("cannot ship " + event.key().name());
		}
	}

	@EventListener
	@org.springframework.core.annotation.Order(2)
	void count(ResourceEvent<Order> event) {
		this.heard.add("count " + event.key().name());
	}

	// tag::dead[]
	@EventListener
	void giveUp(ResourceDeadLetterEvent<Order> letter) {
		this.unshipped.add(letter.event().key() + " after " + letter.attempts() + ": " + letter.failure().getMessage());
	}
	// end::dead[]

}
