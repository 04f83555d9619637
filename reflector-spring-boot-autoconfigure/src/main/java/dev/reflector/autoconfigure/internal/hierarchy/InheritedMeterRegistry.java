package dev.reflector.autoconfigure.internal.hierarchy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.reflector.Reflector;
import dev.reflector.actuate.metrics.ReflectorMetrics;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * If a context has no meter registry, registers the meters of the context with the
 * registry of a parent, and removes them when the context closes. Spring Boot binds
 * meters only to registries of the same context.
 */
public final class InheritedMeterRegistry implements SmartInitializingSingleton, DisposableBean {

	private final ConfigurableListableBeanFactory beanFactory;

	private final Set<String> reflectors = new HashSet<>();

	private List<MeterRegistry> registries = List.of();

	public InheritedMeterRegistry(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Returns the registries of the parent if the context has no registry.
	 * @param beanFactory the context
	 * @return the registries, empty if the context has its own
	 */
	public static List<MeterRegistry> of(ListableBeanFactory beanFactory) {
		BeanFactory parent = (beanFactory instanceof HierarchicalBeanFactory child) ? child.getParentBeanFactory()
				: null;
		if (parent == null || beanFactory.getBeanNamesForType(MeterRegistry.class).length > 0) {
			return List.of();
		}
		ObjectProvider<MeterRegistry> provider = parent.getBeanProvider(MeterRegistry.class);
		MeterRegistry composite = provider.getIfUnique();
		return (composite != null) ? List.of(composite) : provider.stream().toList();
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.registries = of(this.beanFactory);
		if (this.registries.isEmpty()) {
			return;
		}
		for (Reflector<?> reflector : this.beanFactory.getBeansOfType(Reflector.class).values()) {
			if (ReflectorNaming.isNamed(reflector)) {
				this.reflectors.add(reflector.name());
			}
		}
		this.registries.forEach(this.beanFactory.getBean(ReflectorMetrics.class)::bindTo);
	}

	@Override
	public void destroy() {
		for (MeterRegistry registry : this.registries) {
			registry.getMeters()
				.stream()
				.map(Meter::getId)
				.filter((id) -> id.getName().startsWith("reflector.")
						&& this.reflectors.contains(String.valueOf(id.getTag("reflector"))))
				.forEach(registry::remove);
		}
	}

}
