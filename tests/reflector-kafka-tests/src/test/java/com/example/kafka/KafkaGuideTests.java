package com.example.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.reflector.Lister;
import dev.reflector.kafka.BrokerAccess;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The code of {@code docs/kafka.md}, kept true by running it.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaGuideTests {

	@Test
	@SuppressWarnings("unchecked")
	void theConsumerOfTheGuideMirrorsTheTopic() {
		BrokerAccess.addTopic(new NewTopic("widgets", 1, (short) 1).configs(Map.of("cleanup.policy", "compact")));
		try (KafkaProducer<String, @Nullable String> producer = new KafkaProducer<>(
				Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, BrokerAccess.servers()), new StringSerializer(),
				new StringSerializer());
				ConfigurableApplicationContext application = SpringApplication.run(DemoApplication.class,
						"--spring.kafka.bootstrap-servers=" + BrokerAccess.servers(),
						"--spring.main.web-application-type=none", "--spring.reactor.netty.shutdown-quiet-period=0s")) {
			ProducerRecord<String, @Nullable String> record = new ProducerRecord<>("widgets", "default/a", """
					{"metadata": {"namespace": "default", "name": "a", "resourceVersion": "7"}, "spec": {"size": 3}}
					""");
			record.headers().add("reflector_type", "ADDED".getBytes(StandardCharsets.UTF_8));
			producer.send(record);
			Lister<Widget> lister = application.getBean(Lister.class);
			await().atMost(Duration.ofSeconds(60)).until(() -> lister.size() == 1);
			assertThat(lister.list()).extracting(Widget::spec).isEqualTo(List.of(new Widget.Spec(3)));
		}
	}

}
