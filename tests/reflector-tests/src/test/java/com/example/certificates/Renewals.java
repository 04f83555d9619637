package com.example.certificates;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.GenericResource;
import dev.reflector.event.ResourceUpdatedEvent;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class Renewals {

	final List<String> renewed = new CopyOnWriteArrayList<>();

	// tag::listener[]
	@EventListener
	void on(ResourceUpdatedEvent<GenericResource> event) {
		if (event.reflectorName().equals("certificates")) {
			this.renewed.add(event.key() + " until " + event.resource().at("/status/notAfter").asString("?"));
		}
	}
	// end::listener[]

}
