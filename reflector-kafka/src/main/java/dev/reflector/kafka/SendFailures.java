package dev.reflector.kafka;

import java.util.Set;
import java.util.concurrent.CompletionException;

import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

import org.springframework.kafka.KafkaException;

/**
 * Classifies the failures of records.
 */
final class SendFailures {

	/** Failures that would occur again at each further attempt. */
	private static final Set<Class<?>> REFUSALS = Set.of(RecordTooLargeException.class,
			RecordBatchTooLargeException.class, SerializationException.class);

	/** Failures of one topic or one record, after which the producer still works. */
	private static final Set<Class<?>> PASSING = Set.of(InterruptException.class, TopicAuthorizationException.class,
			InvalidTopicException.class, PolicyViolationException.class, InvalidTimestampException.class,
			InvalidRecordException.class);

	private SendFailures() {
	}

	/** Returns a failure without the exceptions that wrap it. */
	static Throwable unwrapped(Throwable failure) {
		Throwable unwrapped = failure;
		while ((unwrapped instanceof CompletionException || unwrapped instanceof KafkaException)
				&& unwrapped.getCause() != null) {
			unwrapped = unwrapped.getCause();
		}
		return unwrapped;
	}

	/** Whether a failure means that the record can never be accepted. */
	static boolean isRefusal(Throwable failure) {
		return REFUSALS.contains(failure.getClass());
	}

	/**
	 * Whether a failure may mean that the producer has failed permanently, and cannot
	 * send records of any topic.
	 */
	static boolean mayEndProducer(Throwable failure) {
		return !(failure instanceof RetriableException) && !PASSING.contains(failure.getClass());
	}

}
