package dev.reflector.kafka;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TopicFacts}.
 */
class TopicFactsTests {

	private static TopicFacts read(RuntimeException failure) throws Exception {
		TopicDescription widgets = new TopicDescription("widgets", false, List.of(), null, Uuid.ONE_UUID);
		KafkaFutureImpl<Config> config = new KafkaFutureImpl<>();
		config.completeExceptionally(failure);
		Object topics = new DescribeTopicsResult(null, Map.of("widgets", KafkaFuture.completedFuture(widgets))) {
		};
		Object configs = new DescribeConfigsResult(
				Map.of(new ConfigResource(ConfigResource.Type.TOPIC, "widgets"), config)) {
		};
		Admin admin = (Admin) Proxy.newProxyInstance(Admin.class.getClassLoader(), new Class<?>[] { Admin.class },
				(proxy, method, arguments) -> method.getName().equals("describeTopics") ? topics : configs);
		return TopicFacts.read(admin, "widgets", Duration.ofSeconds(1));
	}

	@Test
	void aPolicyThatMayNotBeReadIsNotChecked() throws Exception {
		assertThat(read(new TopicAuthorizationException("not allowed")).problem(null)).isNull();
	}

	@Test
	void aPolicyThatCannotBeReadNowIsNoPolicy() {
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> read(new DisconnectException("gone")));
	}

}
