package dev.reflector.kafka;

import java.util.concurrent.CompletionException;

import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.kafka.KafkaException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what failures mean.
 */
class SendFailuresTests {

	private static RuntimeException failure(Class<? extends RuntimeException> type) throws Exception {
		return type.getConstructor(String.class).newInstance("message");
	}

	@Test
	void theFailureOfTheProducerIsFound() {
		TimeoutException failure = new TimeoutException();
		assertThat(SendFailures.unwrapped(new CompletionException(new KafkaException("Send failed", failure))))
			.isSameAs(failure);
		assertThat(SendFailures.unwrapped(failure)).isSameAs(failure);
	}

	@ParameterizedTest
	@ValueSource(classes = { RecordTooLargeException.class, SerializationException.class })
	void someRecordsCanNeverBeAccepted(Class<? extends RuntimeException> type) throws Exception {
		assertThat(SendFailures.isRefusal(failure(type))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(classes = { TimeoutException.class, NotLeaderOrFollowerException.class,
			TopicAuthorizationException.class, InterruptException.class })
	void afterAFailureOfOneTopicTheProducerServesOthers(Class<? extends RuntimeException> type) throws Exception {
		assertThat(SendFailures.mayEndProducer(failure(type))).isFalse();
		assertThat(SendFailures.isRefusal(failure(type))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(classes = { ClusterAuthorizationException.class, OutOfOrderSequenceException.class,
			AuthenticationException.class, IllegalStateException.class })
	void afterOthersAnotherProducerIsNeeded(Class<? extends RuntimeException> type) throws Exception {
		assertThat(SendFailures.mayEndProducer(failure(type))).isTrue();
		assertThat(SendFailures.isRefusal(failure(type))).isFalse();
	}

}
