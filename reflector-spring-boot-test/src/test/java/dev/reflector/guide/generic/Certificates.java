package dev.reflector.guide.generic;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.GenericResource;
import dev.reflector.Lister;
import dev.reflector.event.ResourceUpdatedEvent;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class Certificates {

	final List<String> renewed = new CopyOnWriteArrayList<>();

	private final Lister<GenericResource> certificates;

	Certificates(@Qualifier("certificates") Lister<GenericResource> certificates) {
		this.certificates = certificates;
	}

	boolean ready(String namespace, String name) {
		GenericResource certificate = this.certificates.get(namespace, name);
		return certificate != null && certificate.at("/status/ready").asBoolean(false);
	}

	// tag::listener[]
	@EventListener
	void on(ResourceUpdatedEvent<GenericResource> event) {
		if (event.reflectorName().equals("certificates")) {
			this.renewed.add(event.key() + " until " + event.resource().at("/status/notAfter").asString("?"));
		}
	}
	// end::listener[]

}
