package dev.reflector.autoconfigure.internal.hierarchy;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import dev.reflector.autoconfigure.internal.registration.NamedReflectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;

/**
 * Health of the reflectors of a context, its parents and its children. Spring Boot asks
 * only the contributors of the context that has the endpoint. Therefore, each context
 * adds its reflectors to the health of its parent, and removes them when the context
 * closes.
 */
public final class ReflectorsHealth implements CompositeHealthContributor, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(ReflectorsHealth.class);

	private final Map<String, HealthContributor> contributors;

	private final Map<String, HealthContributor> own;

	private final @Nullable ReflectorsHealth parent;

	private ReflectorsHealth(Map<String, HealthContributor> own, Map<String, HealthContributor> inherited,
			@Nullable ReflectorsHealth parent) {
		this.contributors = new ConcurrentSkipListMap<>(inherited);
		this.contributors.putAll(own);
		this.own = Map.copyOf(own);
		this.parent = parent;
		if (parent != null) {
			parent.add(this.own);
		}
	}

	/**
	 * Returns the health of the reflectors of a context, and adds this health to the
	 * health of the context's parent.
	 * @param beanFactory the context
	 * @param indicator makes the health of a reflector
	 * @return the contributor
	 */
	public static ReflectorsHealth of(ListableBeanFactory beanFactory,
			Function<Reflector<?>, HealthContributor> indicator) {
		BeanFactory above = (beanFactory instanceof HierarchicalBeanFactory child) ? child.getParentBeanFactory()
				: null;
		ReflectorsHealth parent = (above != null) ? above.getBeanProvider(ReflectorsHealth.class).getIfAvailable()
				: null;
		Collection<?> local = beanFactory.getBeansOfType(Reflector.class).values();
		Map<String, HealthContributor> own = new HashMap<>();
		Map<String, HealthContributor> inherited = new HashMap<>();
		NamedReflectors.of(beanFactory).forEach((reflector) -> {
			if (local.contains(reflector)) {
				own.put(reflector.name(), indicator.apply(reflector));
			}
			else {
				// the indicator of the parent is preferred, because it can report why its
				// reflector is not started
				HealthContributor known = (parent != null) ? parent.getContributor(reflector.name()) : null;
				inherited.put(reflector.name(), (known != null) ? known : indicator.apply(reflector));
			}
		});
		return new ReflectorsHealth(own, inherited, parent);
	}

	private void add(Map<String, HealthContributor> ofChild) {
		ofChild.forEach((name, contributor) -> {
			if (this.contributors.putIfAbsent(name, contributor) != null) {
				logger.warn("The health of the parent context does not include the reflector '{}' of a child "
						+ "context, because another reflector has the same name", name);
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
