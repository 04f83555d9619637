package com.example.shop;

import dev.reflector.Lister;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Knows some of the orders twice.
 */
class EasternOrders {

	private final Lister<Order> eastern;

	private final Lister<Order> all;

	// tag::injection[]
	EasternOrders(@Qualifier("eastern-orders") Lister<Order> eastern, Lister<Order> all) {
		this.eastern = eastern;
		this.all = all;
	}
	// end::injection[]

	Lister<Order> eastern() {
		return this.eastern;
	}

	Lister<Order> all() {
		return this.all;
	}

}
