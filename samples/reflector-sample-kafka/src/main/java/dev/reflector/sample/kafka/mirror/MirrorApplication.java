package dev.reflector.sample.kafka.mirror;

import java.util.List;

import dev.reflector.Lister;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.event.ResourceEvent;
import dev.reflector.kafka.KafkaListerWatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Mirrors widgets from a topic, and shows them. The lister and the events are the same as
 * with an API server.
 */
@SpringBootApplication
@RestController
public class MirrorApplication {

	private static final Logger logger = LoggerFactory.getLogger(MirrorApplication.class);

	private final Lister<Widget> widgets;

	MirrorApplication(Lister<Widget> widgets) {
		this.widgets = widgets;
	}

	/**
	 * Starts the application.
	 * @param args arguments of the command line
	 */
	public static void main(String[] args) {
		System.setProperty("spring.config.name", "mirror");
		SpringApplication.run(MirrorApplication.class, args);
	}

	/** Defines the topic as the source of widgets. */
	@Bean
	static ListerWatcher<Widget> topic(ConsumerFactory<?, ?> consumers) {
		return KafkaListerWatcher.builder(consumers, "widgets", Widget.class).build();
	}

	@GetMapping("/widgets")
	List<Widget> widgets() {
		return this.widgets.list();
	}

	@EventListener
	void on(ResourceEvent<Widget> event) {
		logger.info("Received: {}", event);
	}

}
