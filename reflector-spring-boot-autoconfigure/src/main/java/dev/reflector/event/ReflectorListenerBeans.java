package dev.reflector.event;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

/**
 * Does for singleton {@link ApplicationListener} beans that are declared for events of
 * reflectors what {@link ReflectorEventListenerFactory} does for methods: when such a
 * listener throws, the listeners after it are still called, and when it is slow, a
 * warning names it. It also warns of listeners for a type that no reflector mirrors.
 * These beans are created with the context, even when beans are lazy. Spring calls all
 * other listeners: those for more general types, beans of other scopes, and listeners
 * that are not beans.
 *
 * @since 0.1.0
 */
public final class ReflectorListenerBeans implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates the object.
	 * @param beanFactory has the listeners
	 */
	public ReflectorListenerBeans(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/** Runs after Spring has registered all listeners, and before reflectors start. */
	@Override
	public void afterSingletonsInstantiated() {
		UnmatchedListeners unmatched = new UnmatchedListeners(this.beanFactory);
		this.beanFactory.getBeanProvider(ReflectorEventListenerFactory.class)
			.stream()
			.flatMap((factory) -> factory.declared().stream())
			.forEach((method) -> unmatched.check("The listener " + method.name(), method.eventType()));
		ApplicationEventMulticaster multicaster = this.beanFactory.getBean(
				AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME, ApplicationEventMulticaster.class);
		for (String name : this.beanFactory.getBeanNamesForType(ApplicationListener.class, false, false)) {
			ResolvableType eventType = eventType(name);
			if (DeliveredEvent.class.isAssignableFrom(eventType.toClass())) {
				unmatched.check("The listener '" + name + "'", eventType);
				replace(multicaster, name, eventType);
			}
		}
	}

	private void replace(ApplicationEventMulticaster multicaster, String name, ResolvableType eventType) {
		// created now, as Spring registers a listener when it creates the bean
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
