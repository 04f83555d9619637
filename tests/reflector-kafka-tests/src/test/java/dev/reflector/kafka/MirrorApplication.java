package dev.reflector.kafka;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.reflector.Lister;
import dev.reflector.cache.source.ListerWatcher;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.ConsumerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that mirrors widgets from a topic.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@AutoConfigurationPackage
class MirrorApplication {

	@Bean
	ListerWatcher<Widget> widgets(ConsumerFactory<?, ?> consumers, @Value("${topic}") String topic) {
		return KafkaListerWatcher.builder(consumers, topic, Widget.class).build();
	}

	static ConfigurableApplicationContext run(String servers, String topic) {
		return new SpringApplicationBuilder(MirrorApplication.class).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.run("--spring.kafka.bootstrap-servers=" + servers, "--topic=" + topic, "--spring.main.banner-mode=off",
					"--spring.kafka.consumer.group-id=not-used", "--spring.reactor.netty.shutdown-quiet-period=0s",
					// soon after a broker is there again
					"--reflector.backoff.max=1s");
	}

	/** Waits until the mirrors of two applications are equal. */
	static void awaitEqual(ConfigurableApplicationContext publisher, ConfigurableApplicationContext mirror) {
		await().untilAsserted(() -> assertThat(content(mirror)).isEqualTo(content(publisher)));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, String> content(ConfigurableApplicationContext application) {
		Lister<Widget> lister = application.getBean(Lister.class);
		return lister.stream()
			.collect(Collectors.toMap((widget) -> widget.metadata().name(), Widget::toString, (one, other) -> one,
					TreeMap::new));
	}

}
