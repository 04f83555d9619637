package com.example.shop;

import dev.reflector.Lister;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/**
 * Reports once, at the start.
 */
@Component
class OpeningReport implements ApplicationRunner {

	private static final Logger logger = LoggerFactory.getLogger(OpeningReport.class);

	private final Lister<Order> orders;

	OpeningReport(Lister<Order> orders) {
		this.orders = orders;
	}

	@Override
	public void run(ApplicationArguments arguments) {
		logger.info("{} orders for {} together", this.orders.size(), this.orders.stream().mapToInt(Order::price).sum());
	}

}
