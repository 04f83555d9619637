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

	private void note(String way, ResourceEvent<?> event) {
		this.heard.add(way + " " + event.key().name());
	}

	// tag::generic[]
	@EventListener
	void order(ResourceAddedEvent<Order> event) {
		note("order", event);
	}

	@EventListener
	void anything(ResourceEvent<?> event) {
		note("anything", event);
	}

	@EventListener
	void priced(ResourceEvent<? extends Priced> event) {
		note("priced " + event.resource().price(), event);
	}
	// end::generic[]

	@EventListener
	void exactlyTheInterface(ResourceEvent<Priced> event) {
		note("never", event);
	}

	// tag::condition[]
	@EventListener(condition = "#root.event.resource().price() > 100 and !#root.event.initialList()")
	void large(ResourceAddedEvent<Order> event) {
		note("large", event);
	}
	// end::condition[]

	// tag::order[]
	@EventListener
	@org.springframework.core.annotation.Order(1)
	void first(ResourceAddedEvent<Invoice> event) {
		note("first", event);
	}

	@EventListener
	@org.springframework.core.annotation.Order(2)
	void second(ResourceAddedEvent<Invoice> event) {
		note("second", event);
	}
	// end::order[]

	// tag::async[]
	@Async
	@EventListener
	void elsewhere(ResourceAddedEvent<Order> event) {
		note("elsewhere on " + Thread.currentThread().getName(), event);
	}
	// end::async[]

	// tag::transaction[]
	@Transactional
	@EventListener
	void store(ResourceAddedEvent<Order> event) {
		note("store", event);
	}

	@TransactionalEventListener
	void afterCommit(ResourceAddedEvent<Order> event) {
		note("never, as there is no transaction", event);
	}

	@TransactionalEventListener(fallbackExecution = true)
	void afterCommitIfAny(ResourceAddedEvent<Order> event) {
		note("without a transaction", event);
	}
	// end::transaction[]

	@EventListener
	void synced(ReflectorSyncedEvent event) {
		this.heard.add("synced " + event.reflectorName());
	}

}
