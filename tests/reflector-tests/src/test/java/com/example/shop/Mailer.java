package com.example.shop;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.event.ResourceAddedEvent;

import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Component;

/**
 * Sends mail on a thread of an executor.
 */
@Component
@EnableAsync
class Mailer {

	private final Set<String> mailed = ConcurrentHashMap.newKeySet();

	@Async
	@EventListener(condition = "!#root.event.initialList()")
	public void on(ResourceAddedEvent<Order> event) {
		this.mailed.add(event.key().name() + " by " + Thread.currentThread().getName());
	}

	public Set<String> mailed() {
		return this.mailed;
	}

}
