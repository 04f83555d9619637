package com.example.table;

import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import jakarta.persistence.EntityManager;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

@Component
class OrderTable {

	private final EntityManager entities;

	OrderTable(EntityManager entities) {
		this.entities = entities;
	}

	@Transactional
	@EventListener
	public void on(ResourceEvent<Order> event) {
		String id = event.key().toString();
		if (!(event instanceof ResourceDeletedEvent)) {
			this.entities.merge(new OrderRow(id, event.resource().price()));
			return;
		}
		OrderRow row = this.entities.find(OrderRow.class, id);
		if (row != null) {
			this.entities.remove(row);
		}
	}

}
