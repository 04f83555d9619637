package dev.reflector.sample.kafka.publisher;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Publishes each change of a widget to a topic. It needs only settings and no code.
 */
@SpringBootApplication
public class PublisherApplication {

	/**
	 * Starts the application.
	 * @param args arguments of the command line
	 */
	public static void main(String[] args) {
		System.setProperty("spring.config.name", "publisher");
		SpringApplication.run(PublisherApplication.class, args);
	}

}
