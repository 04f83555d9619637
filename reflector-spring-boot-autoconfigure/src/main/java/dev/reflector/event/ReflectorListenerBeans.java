package dev.reflector.event;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

/**
 * Makes each singleton {@link ApplicationListener} bean that is declared for an event of
 * a reflector a listener of its own right, as {@link ReflectorEventListenerFactory} does
 * with methods: when it throws, the listeners after it are still called, and when it is
 * slow, it is named. Warns of those, and of such methods, that are for a type that no
 * reflector mirrors. Such beans are created with the context, also where beans are lazy.
 * Listeners of wider types, beans of other scopes and listeners that are no beans are
 * left to Spring.
 *
 * @since 0.1.0
 */
public final class ReflectorListenerBeans implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates it.
	 * @param beanFactory where the listeners are
	 */
	public ReflectorListenerBeans(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/** After Spring has registered them all, and before any reflector is started. */
	@Override
	public void afterSingletonsInstantiated() {
		DeafListeners deaf = new DeafListeners(this.beanFactory);
		this.beanFactory.getBeanProvider(ReflectorEventListenerFactory.class)
			.stream()
			.flatMap((factory) -> factory.declared().stream())
			.forEach((method) -> deaf.check("The listener " + method.name(), method.eventType()));
		ApplicationEventMulticaster multicaster = this.beanFactory.getBean(
				AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME, ApplicationEventMulticaster.class);
		for (String name : this.beanFactory.getBeanNamesForType(ApplicationListener.class, false, false)) {
			ResolvableType eventType = eventType(name);
			if (DeliveredEvent.class.isAssignableFrom(eventType.toClass())) {
				deaf.check("The listener '" + name + "'", eventType);
				replace(multicaster, name, eventType);
			}
		}
	}

	private void replace(ApplicationEventMulticaster multicaster, String name, ResolvableType eventType) {
		// created here: later, Spring would register it once more
		ApplicationListener<?> listener = this.beanFactory.getBean(name, ApplicationListener.class);
		multicaster.removeApplicationListenerBean(name);
		multicaster.removeApplicationListener(listener);
		multicaster.addApplicationListener(ListenerBean.of(name, eventType, listener));
	}

	private ResolvableType eventType(String name) {
		if (this.beanFactory.containsBeanDefinition(name)) {
			ResolvableType declared = eventType(this.beanFactory.getMergedBeanDefinition(name).getResolvableType());
			if (declared.resolve() != null) {
				return declared;
			}
		}
		return eventType(ResolvableType.forClass(AutoProxyUtils.determineTargetClass(this.beanFactory, name)));
	}

	private static ResolvableType eventType(ResolvableType listenerType) {
		return listenerType.as(ApplicationListener.class).getGeneric();
	}

}
