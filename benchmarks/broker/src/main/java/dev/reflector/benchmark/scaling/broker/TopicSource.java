package dev.reflector.benchmark.scaling.broker;

import dev.reflector.benchmark.scaling.Workload;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.kafka.KafkaListerWatcher;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.ConsumerFactory;

/**
 * Makes a replica mirror a topic in place of the server.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("benchmark.from-topic")
class TopicSource {

	@Bean
	ListerWatcher<Workload> workloads(ConsumerFactory<?, ?> consumers) {
		return KafkaListerWatcher.builder(consumers, BrokerProcess.TOPIC, Workload.class).build();
	}

}
