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
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TopicFacts}.
 */
class TopicFactsTests {

	private static TopicFacts read(Throwable failure) throws Exception {
		TopicDescription topic = new TopicDescription("widgets", false, List.of(), null, Uuid.ONE_UUID);
		KafkaFutureImpl<Config> policy = new KafkaFutureImpl<>();
		policy.completeExceptionally(failure);
		Map<String, Object> answers = Map.of("describeTopics", new Topics(topic), "describeConfigs",
				new Configs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, "widgets"), policy)));
		Admin client = (Admin) Proxy.newProxyInstance(Admin.class.getClassLoader(), new Class<?>[] { Admin.class },
				(proxy, method, arguments) -> answers.get(method.getName()));
		return TopicFacts.read(client, "widgets", Duration.ofSeconds(20));
	}

	@Test
	void aPolicyThatMayNotBeReadIsUnknown() throws Exception {
		assertThat(read(new TopicAuthorizationException("widgets"))).isEqualTo(new TopicFacts(Uuid.ONE_UUID, null));
	}

	@Test
	void aPolicyThatIsNotAnsweredInTimeIsNotTakenForUnknown() {
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> read(new TimeoutException("no answer")))
			.withCauseInstanceOf(TimeoutException.class);
	}

	private static final class Topics extends DescribeTopicsResult {

		Topics(TopicDescription topic) {
			super(null, Map.of(topic.name(), KafkaFuture.completedFuture(topic)));
		}

	}

	private static final class Configs extends DescribeConfigsResult {

		Configs(Map<ConfigResource, KafkaFuture<Config>> answers) {
			super(answers);
		}

	}

}
