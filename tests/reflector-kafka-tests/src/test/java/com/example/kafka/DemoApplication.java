package com.example.kafka;

import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.event.ResourceEvent;
import dev.reflector.kafka.KafkaListerWatcher;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.core.ConsumerFactory;

/**
 * The application of the guide.
 */
@SpringBootApplication
public class DemoApplication {

	/**
	 * Starts the application.
	 * @param args arguments of the command line
	 */
	public static void main(String[] args) {
		SpringApplication.run(DemoApplication.class, args);
	}

	@Bean
	static ListerWatcher<Widget> widgets(ConsumerFactory<?, ?> consumers) {
		return KafkaListerWatcher.builder(consumers, "widgets", Widget.class).build();
	}

	@EventListener
	void on(ResourceEvent<Widget> event) {
		System.out.println(event + " has size " + event.resource().spec().size());
	}

}
