package com.example.shop;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.reflector.ResourceKey;
import dev.reflector.event.ResourceDeletedEvent;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class Prices {

	final Map<ResourceKey, String> gone = new ConcurrentHashMap<>();

	@EventListener
	void on(ResourceDeletedEvent<Order> event) {
		String price = event.contentUnknown() ? "unknown" : String.valueOf(event.resource().price());
		this.gone.put(event.key(), price);
	}

}
