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

	@Override
	public void afterSingletonsInstantiated() {
		BeanFactory parent = this.beanFactory.getParentBeanFactory();
		if (parent == null || this.beanFactory.getBeanNamesForType(MeterRegistry.class).length > 0) {
			return;
		}
		for (Reflector<?> reflector : this.beanFactory.getBeansOfType(Reflector.class).values()) {
			if (ReflectorNaming.isNamed(reflector)) {
				this.reflectors.add(reflector.name());
			}
		}
		ObjectProvider<MeterRegistry> provider = parent.getBeanProvider(MeterRegistry.class);
		MeterRegistry composite = provider.getIfUnique();
		this.registries = (composite != null) ? List.of(composite) : provider.stream().toList();
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
