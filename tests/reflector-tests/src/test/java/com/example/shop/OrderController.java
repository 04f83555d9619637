package com.example.shop;

import java.util.List;

import dev.reflector.Lister;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Answers requests from the mirror.
 */
@RestController
class OrderController {

	private final Lister<Order> orders;

	OrderController(Lister<Order> orders) {
		this.orders = orders;
	}

	@GetMapping("/orders/{namespace}")
	List<Order> orders(@PathVariable String namespace) {
		return this.orders.list(namespace);
	}

	@GetMapping("/orders/{namespace}/{name}")
	ResponseEntity<Order> order(@PathVariable String namespace, @PathVariable String name) {
		return ResponseEntity.of(this.orders.find(namespace, name));
	}

}
