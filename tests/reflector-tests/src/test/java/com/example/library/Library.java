package com.example.library;

import java.time.Duration;
import java.util.List;

import dev.reflector.cache.source.PollingListerWatcher;
import dev.reflector.event.ResourceEvent;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.web.client.RestClient;

// tag::library[]
@Configuration(proxyBeanMethods = false)
class Library {

	@Bean
	static PollingListerWatcher<Book> books(@Value("${library.url}") String url,
			@Value("${library.period:10s}") Duration period) {
		RestClient library = RestClient.create(url);
		return PollingListerWatcher.of(period,
				() -> library.get().uri("/books").retrieve().body(new ParameterizedTypeReference<List<Book>>() {
				}), Book::isbn);
	}

	@EventListener
	void on(ResourceEvent<Book> event) {
		System.out.println(event + ": " + event.resource().title());
	}

}
// end::library[]
