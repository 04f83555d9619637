package com.example.widgets;

import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceUpdatedEvent;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

// tag::listener[]
@Component
public class Stock {

	private final AtomicInteger total = new AtomicInteger();

	@EventListener
	void added(ResourceAddedEvent<Widget> event) {
		this.total.addAndGet(event.resource().spec().size());
	}

	@EventListener
	void updated(ResourceUpdatedEvent<Widget> event) {
		this.total.addAndGet(event.resource().spec().size() - event.previous().spec().size());
	}

	@EventListener
	void deleted(ResourceDeletedEvent<Widget> event) {
		this.total.addAndGet(-event.resource().spec().size());
	}

	public int total() {
		return this.total.get();
	}

}
// end::listener[]
