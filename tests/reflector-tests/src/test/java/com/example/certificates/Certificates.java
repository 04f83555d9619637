package com.example.certificates;

import dev.reflector.GenericResource;
import dev.reflector.Lister;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

@Component
class Certificates {

	private final Lister<GenericResource> certificates;

	Certificates(@Qualifier("certificates") Lister<GenericResource> certificates) {
		this.certificates = certificates;
	}

	boolean ready(String namespace, String name) {
		GenericResource certificate = this.certificates.get(namespace, name);
		return certificate != null && certificate.at("/status/ready").asBoolean(false);
	}

}
