package dev.reflector.autoconfigure;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;

/**
 * Health of the reflectors of a context, its parents and its children. Spring Boot asks
 * only the contributors of the context that has the endpoint, so each context adds its
 * reflectors to its parent until it closes.
 */
final class ReflectorsHealth implements CompositeHealthContributor, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(ReflectorsHealth.class);

	private final Map<String, HealthContributor> contributors;

	private final Map<String, HealthContributor> own;

	private final @Nullable ReflectorsHealth parent;

	/**
	 * Creates the contributor, and adds its own reflectors to the parent.
	 * @param own health of the reflectors of this context
	 * @param inherited health of the reflectors of its parents
	 * @param parent contributor of the parent context, if it has one
	 */
	ReflectorsHealth(Map<String, HealthContributor> own, Map<String, HealthContributor> inherited,
			@Nullable ReflectorsHealth parent) {
		this.contributors = new ConcurrentSkipListMap<>(inherited);
		this.contributors.putAll(own);
		this.own = Map.copyOf(own);
		this.parent = parent;
		if (parent != null) {
			parent.add(this.own);
		}
	}

	private void add(Map<String, HealthContributor> ofChild) {
		ofChild.forEach((name, contributor) -> {
			if (this.contributors.putIfAbsent(name, contributor) != null) {
				logger.warn("Health of the parent context does not show the reflector '{}' of a child context: "
						+ "another reflector has the same name", name);
			}
		});
		if (this.parent != null) {
			this.parent.add(ofChild);
		}
	}

	private void remove(Map<String, HealthContributor> ofChild) {
		ofChild.forEach(this.contributors::remove);
		if (this.parent != null) {
			this.parent.remove(ofChild);
		}
	}

	@Override
	public void destroy() {
		if (this.parent != null) {
			this.parent.remove(this.own);
		}
	}

	@Override
	public @Nullable HealthContributor getContributor(String name) {
		return this.contributors.get(name);
	}

	@Override
	public Stream<Entry> stream() {
		return this.contributors.entrySet().stream().map((entry) -> new Entry(entry.getKey(), entry.getValue()));
	}

}
