package dev.reflector.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.reflector.Reflector;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.sharding.ShardField;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaAdmin;

/**
 * Makes publishers for the reflectors that the properties name.
 */
final class KafkaPublisherFactory implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(KafkaPublisher.class);

	private static final String TOPICS = "reflector.publish.kafka.topics";

	private static final Duration SHORTEST_CHECK = Duration.ofSeconds(1);

	private final KafkaPublisherProperties properties;

	private final PublisherSettings settings;

	private final KafkaAdmin admin;

	private final ProducerHandle producer;

	private final ObjectProvider<ConsumerFactory<?, ?>> consumers;

	private final ObjectProvider<JsonMapper> jsonMapper;

	/** The context with the beans of the reflectors. */
	private final ConfigurableListableBeanFactory beans;

	private final Map<String, PublishedTopic> topics = new HashMap<>();

	KafkaPublisherFactory(KafkaPublisherProperties properties, PublisherSettings settings, KafkaAdmin admin,
			ProducerHandle producer, ObjectProvider<ConsumerFactory<?, ?>> consumers,
			ObjectProvider<JsonMapper> jsonMapper, ConfigurableListableBeanFactory beans) {
		this.properties = properties;
		this.settings = settings;
		this.admin = admin;
		this.producer = producer;
		this.consumers = consumers;
		this.jsonMapper = jsonMapper;
		this.beans = beans;
	}

	/**
	 * Returns a bean of Spring Kafka.
	 * @throws KafkaTopicException if there is none
	 */
	static <B> B required(ObjectProvider<B> beans, Class<? super B> type) {
		B bean = beans.getIfAvailable();
		if (bean == null) {
			throw new KafkaTopicException(
					"Changes of reflectors should be published to Kafka ('" + TOPICS
							+ "'), but there is no bean of type " + type.getName() + ".",
					"Do not exclude KafkaAutoConfiguration, or define such a bean.", null);
		}
		return bean;
	}

	/**
	 * Makes sure that topics exist. If the broker does not answer in time, continues
	 * without the check.
	 */
	void checkTopics(Collection<String> names) {
		requireDifferentTopics();
		boolean reached = true;
		for (String name : names) {
			PublishedTopic topic = new PublishedTopic(name,
					this.properties.createTopics() ? PublishedTopic.compacted(name, this.properties.partitions(),
							this.properties.replicationFactor()) : null,
					this.admin.getConfigurationProperties(), this.properties.startTimeout());
			this.topics.put(name, topic);
			reached = reached && check(topic);
		}
	}

	private boolean check(PublishedTopic topic) {
		try {
			Throwable failure = topic.check();
			if (failure != null) {
				logger.warn("Kafka could not be reached within {}. Publishing begins as soon as it can be reached: {}",
						this.properties.startTimeout(), failure.toString());
			}
			return failure == null;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private void requireDifferentTopics() {
		Map<String, String> owners = new HashMap<>();
		this.properties.topics().forEach((reflector, topic) -> {
			String other = owners.putIfAbsent(topic, reflector);
			// an environment variable that overrides a topic spells the reflector without
			// dashes, and Spring Boot binds its value to both keys
			if (other != null && !ReflectorNaming.isSame(other, reflector)) {
				throw new KafkaTopicException(
						"The reflectors '" + other + "' and '" + reflector + "' have one Kafka topic, '" + topic
								+ "': objects of the same name would replace each other.",
						"Give each of them its own topic at '" + TOPICS + "'.", null);
			}
		});
	}

	/**
	 * Finds the reflectors whose changes are published. Reflectors of parent contexts are
	 * left out, because only the context of a reflector publishes its changes.
	 * @return names of beans and their topics, ordered by the name of the reflector
	 */
	Map<String, String> reflectors() {
		Map<String, String> reflectors = new TreeMap<>();
		for (String bean : this.beans.getBeanNamesForType(SharedInformer.class)) {
			SharedInformer<?> informer = this.beans.getBean(bean, SharedInformer.class);
			if (ReflectorNaming.isNamed(informer)) {
				reflectors.put(informer.name(), bean);
			}
		}
		Map<String, String> published = new LinkedHashMap<>();
		Map<String, String> left = new HashMap<>(this.properties.topics());
		reflectors.forEach((name, bean) -> {
			String key = left.keySet()
				.stream()
				.filter((other) -> ReflectorNaming.isSame(other, name))
				.findFirst()
				.orElse(null);
			if (key != null) {
				String topic = left.remove(key);
				published.put(bean, topic);
				left.entrySet()
					.removeIf((same) -> ReflectorNaming.isSame(same.getKey(), name) && same.getValue().equals(topic));
			}
		});
		left.keySet().removeAll(inherited(left.keySet()));
		if (!left.isEmpty()) {
			throw new KafkaTopicException(
					"'" + TOPICS + "." + left.keySet().iterator().next()
							+ "' names no reflector of this application. There are: "
							+ (reflectors.isEmpty() ? "none" : String.join(", ", reflectors.keySet())) + ".",
					"Correct the name, or mirror a type of that name.", null);
		}
		this.properties.omit().keySet().forEach(this::requirePublished);
		return published;
	}

	/** Returns those of the names that belong to reflectors of parent contexts. */
	private List<String> inherited(Collection<String> names) {
		BeanFactory parent = this.beans.getParentBeanFactory();
		if (names.isEmpty() || parent == null) {
			return List.of();
		}
		List<String> reflectors = ReflectorNaming
			.named(parent.getBeanProvider(ResolvableType.forClass(Reflector.class)))
			.map(Reflector::name)
			.toList();
		List<String> inherited = names.stream()
			.filter((name) -> reflectors.stream().anyMatch((reflector) -> ReflectorNaming.isSame(name, reflector)))
			.toList();
		inherited.forEach((name) -> logger
			.debug("'{}.{}' has no effect in this context, because a parent context has the reflector", TOPICS, name));
		return inherited;
	}

	/**
	 * Fails if components to omit are configured for a reflector that is not published.
	 * The name of the reflector may be misspelled.
	 */
	private void requirePublished(String name) {
		if (this.properties.topics()
			.keySet()
			.stream()
			.noneMatch((published) -> ReflectorNaming.isSame(published, name))) {
			throw new KafkaTopicException(
					"'" + PublishedComponents.OMIT + "." + name + "' names no reflector that is published. There are: "
							+ String.join(", ", this.properties.topics().keySet()) + ".",
					"Correct the name, or give the reflector a topic at '" + TOPICS + "'.", null);
		}
	}

	/** Makes the publisher of a reflector, and adds it to the reflector as a handler. */
	KafkaPublisher<?> join(String bean, String topic) {
		Class<?> type = this.beans.getMergedBeanDefinition(bean)
			.getResolvableType()
			.as(SharedInformer.class)
			.getGeneric(0)
			.resolve();
		if (type == null) {
			throw new KafkaTopicException("The type of the objects of the bean '" + bean + "' is not known.",
					"Declare it, as in SharedInformer<Widget>.", null);
		}
		return join(this.beans.getBean(bean, SharedInformer.class), type, topic);
	}

	@SuppressWarnings("unchecked")
	private <T> KafkaPublisher<T> join(SharedInformer<?> informer, Class<T> type, String topic) {
		SharedInformer<T> typed = (SharedInformer<T>) informer;
		ResourceType resourceType = typed.resourceType();
		JsonMapper mapper = this.jsonMapper.getIfAvailable(JsonMapper::new);
		ChangeRecords<T> records = new ChangeRecords<>(topic, resourceType, typed.accessor(),
				new PublishedComponents(String.valueOf(typed.name()), topic, this.properties.omit()).codec(mapper, type,
						resourceType));
		Reconciliation reconciliation = this.properties.reconcile()
				? new Reconciliation(required(this.consumers, ConsumerFactory.class), topic, typed) : null;
		PublishedTopic published = this.topics.get(topic);
		if (published == null) {
			throw new IllegalStateException("the topic '" + topic + "' was not checked");
		}
		KafkaPublisher<T> publisher = new KafkaPublisher<>(typed, records, published, this.producer, this.settings,
				reconciliation);
		// no periodic resyncs; requested resyncs are still delivered
		typed.addEventHandler(publisher, Duration.ZERO);
		warnOfShares(typed, topic);
		return publisher;
	}

	/**
	 * Warns if replicas divide objects by uid. A recreated object has another uid, so
	 * different replicas may publish its deletion and its addition, in any order.
	 */
	private static void warnOfShares(SharedInformer<?> informer, String topic) {
		ReflectorStatus.Shard shard = informer.shard();
		if (shard != null && shard.selector().contains(ShardField.UID.path())) {
			logger.atWarn()
				.addKeyValue("reflector", informer.name())
				.log("Reflector '{}': replicas divide its objects by uid. If an object is deleted and created again, "
						+ "its deletion may come last on the topic '{}', which then lacks the object until its next "
						+ "change. Set 'reflector.sharding.field' to 'namespace'", informer.name(), topic);
		}
	}

	/** Opens the producer, before the first publisher is made. */
	void openProducer() {
		try {
			this.producer.open();
		}
		catch (KafkaException ex) {
			throw new KafkaTopicException("Kafka's producer cannot be created: " + ErrorMessages.of(ex),
					"Correct the settings under 'spring.kafka.producer'. The producer is idempotent: it needs "
							+ "'retries' of more than 0, and 'max.in.flight.requests.per.connection' of at most 5.",
					ex);
		}
	}

	/**
	 * Returns how often the producer refreshes its metadata, at least one second.
	 */
	Duration metadataAge() {
		Duration age = this.producer.metadataAge();
		return (age.compareTo(SHORTEST_CHECK) > 0) ? age : SHORTEST_CHECK;
	}

	Duration closeTimeout() {
		return this.producer.closeTimeout();
	}

	/** Makes {@link #close()} skip the wait for records that are not acknowledged yet. */
	void giveUp() {
		this.producer.giveUp();
	}

	@Override
	public void close() {
		this.producer.close();
	}

}
