package com.example.table;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.event.ResourceAddedEvent;
import jakarta.persistence.EntityManager;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Sends a receipt when an order has been stored.
 */
@Component
class Receipts {

	private final EntityManager entities;

	private final ApplicationEventPublisher publisher;

	private final List<String> sent = new CopyOnWriteArrayList<>();

	Receipts(EntityManager entities, ApplicationEventPublisher publisher) {
		this.entities = entities;
		this.publisher = publisher;
	}

	@Transactional
	@EventListener
	public void on(ResourceAddedEvent<Order> event) {
		String id = event.key().toString();
		this.entities.merge(new OrderRow(id, event.resource().price()));
		this.publisher.publishEvent(new OrderStored(id));
	}

	@TransactionalEventListener
	public void stored(OrderStored event) {
		this.sent.add(event.id());
	}

	public List<String> sent() {
		return this.sent;
	}

}
