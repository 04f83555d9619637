package dev.reflector.autoconfigure.internal.diagnosis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import dev.reflector.autoconfigure.internal.registration.MatchedBeans;
import dev.reflector.autoconfigure.internal.registration.ReflectorBeanDefinitions;
import dev.reflector.autoconfigure.internal.registration.ReflectorFactory;
import dev.reflector.autoconfigure.internal.registration.ReflectorOwner;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Checks all reflectors of a context after they have been made. Their names must differ
 * from each other and from the names of reflectors in parent contexts. A warning names
 * each source that no reflector uses.
 */
public final class ReflectorBeansCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(ReflectorBeansCheck.class);

	private final ConfigurableListableBeanFactory beanFactory;

	public ReflectorBeansCheck(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (reflectors(this.beanFactory).isEmpty()) {
			return;
		}
		requireDistinctNames();
		// if the application makes all reflectors itself, there is no factory, and the
		// application chooses the sources
		ReflectorFactory.inUse(this.beanFactory).ifPresent(this::warnOfUnusedSources);
	}

	private void requireDistinctNames() {
		Map<String, Named> named = new HashMap<>();
		BeanFactory next = this.beanFactory;
		while (next instanceof ConfigurableListableBeanFactory context) {
			for (String bean : reflectors(context)) {
				Reflector<?> reflector = context.getBean(bean, Reflector.class);
				if (ReflectorNaming.isNamed(reflector)) {
					Named one = new Named(reflector, new ReflectorOwner(reflector.name(), owner(context, bean)));
					Named other = named.putIfAbsent(ReflectorNaming.uniform(reflector.name()), one);
					if (other != null && other.reflector() != reflector) {
						throw other.owner().clashesWith(one.owner());
					}
				}
			}
			next = context.getParentBeanFactory();
		}
	}

	/**
	 * Returns the names of the beans that are reflectors. For a scoped bean, this is the
	 * name of its proxy.
	 */
	private static List<String> reflectors(ConfigurableListableBeanFactory context) {
		return Stream.of(context.getBeanNamesForType(Reflector.class, false, false))
			.filter((bean) -> !ScopedProxyUtils.isScopedTarget(bean))
			.toList();
	}

	private String owner(ConfigurableListableBeanFactory context, String bean) {
		String where = (context != this.beanFactory) ? " in a parent context" : "";
		if (!context.containsBeanDefinition(bean)) {
			return "the bean '" + bean + "'" + where;
		}
		BeanDefinition definition = context.getBeanDefinition(bean);
		if (definition.getAttribute(ReflectorBeanDefinitions.REGISTRATION_ATTRIBUTE) instanceof String registration) {
			return "the registration '" + registration + "'" + where;
		}
		if (definition.getAttribute(ReflectorBeanDefinitions.GENERIC_ATTRIBUTE) instanceof String key) {
			return "'reflector.resources." + key + "'" + where;
		}
		Object type = definition.getAttribute(ReflectorBeanDefinitions.TYPE_ATTRIBUTE);
		return ((type instanceof Class<?> annotated) ? annotated.getName() : "the bean '" + bean + "'") + where;
	}

	private void warnOfUnusedSources(ReflectorFactory factory) {
		new MatchedBeans(this.beanFactory).unusedSources(factory.definitions()).forEach((source, reflectors) -> {
			// there is no warning if another bean depends on the source, because that
			// bean may use or wrap the source
			if (this.beanFactory.getDependentBeans(source).length == 0) {
				logger.warn(
						"The ListerWatcher '{}' has no effect: neither its bean name nor a qualifier is the "
								+ "name of a reflector of its type. These reflectors have that type: {}",
						source, reflectors);
			}
		});
	}

	/**
	 * A reflector and what declares it.
	 *
	 * @param reflector the reflector
	 * @param owner name of the reflector and what declares it
	 */
	private record Named(Reflector<?> reflector, ReflectorOwner owner) {

	}

}
