package com.example.shop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceEvent;

import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Listens in every way there is.
 */
class Bookkeeping {

	private final List<String> heard = new CopyOnWriteArrayList<>();

	List<String> heard() {
		return this.heard;
	}

	// tag::generic[]
	@EventListener
	void order(ResourceAddedEvent<Order> event) {
		this.heard.add("order " + event.key().name());
	}

	@EventListener
	void anything(ResourceEvent<?> event) {
		this.heard.add("anything " + event.key().name());
	}

	@EventListener
	void priced(ResourceEvent<? extends Priced> event) {
		this.heard.add("priced " + event.resource().price() + " " + event.key().name());
	}
	// end::generic[]

	@EventListener
	void exactlyTheInterface(ResourceEvent<Priced> event) {
		this.heard.add("never " + event.key().name());
	}

	// tag::condition[]
	@EventListener(condition = "#root.event.resource().price() > 100 and !#root.event.initialList()")
	void large(ResourceAddedEvent<Order> event) {
		this.heard.add("large " + event.key().name());
	}
	// end::condition[]

	// tag::order[]
	@EventListener
	@org.springframework.core.annotation.Order(1)
	void first(ResourceAddedEvent<Invoice> event) {
		this.heard.add("first " + event.key().name());
	}

	@EventListener
	@org.springframework.core.annotation.Order(2)
	void second(ResourceAddedEvent<Invoice> event) {
		this.heard.add("second " + event.key().name());
	}
	// end::order[]

	// tag::async[]
	@Async
	@EventListener
	void elsewhere(ResourceAddedEvent<Order> event) {
		this.heard.add("elsewhere on " + Thread.currentThread().getName());
	}
	// end::async[]

	// tag::transaction[]
	@Transactional
	@EventListener
	void store(ResourceAddedEvent<Order> event) {
		this.heard.add("store " + event.key().name());
	}

	@TransactionalEventListener
	void afterCommit(ResourceAddedEvent<Order> event) {
		this.heard.add("never, as there is no transaction " + event.key().name());
	}

	@TransactionalEventListener(fallbackExecution = true)
	void afterCommitIfAny(ResourceAddedEvent<Order> event) {
		this.heard.add("without a transaction " + event.key().name());
	}
	// end::transaction[]

	@EventListener
	void synced(ReflectorSyncedEvent event) {
		this.heard.add("synced " + event.reflectorName());
	}

}
