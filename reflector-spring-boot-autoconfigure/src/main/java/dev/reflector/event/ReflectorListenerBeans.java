package dev.reflector.event;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

/**
 * Replaces each singleton {@link ApplicationListener} bean for events of reflectors by a
 * listener like those that {@link ReflectorEventListenerFactory} creates for methods. If
 * such a listener throws an exception, the other listeners are still called. If such a
 * listener is slow, a warning names it. This class also warns of listeners for a type
 * that no reflector mirrors. The listener beans are created with the context, even if
 * beans are lazy. Spring calls all other listeners: listeners for more general types,
 * beans of other scopes, and listeners that are not beans.
 *
 * @since 0.1.0
 */
public final class ReflectorListenerBeans implements SmartInitializingSingleton {

	private static final List<Class<?>> CHANGES = List.of(ResourceAddedEvent.class, ResourceUpdatedEvent.class,
			ResourceDeletedEvent.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final Map<String, ResolvableType> beans = new LinkedHashMap<>();

	/**
	 * Creates the object.
	 * @param beanFactory the factory of the listeners
	 */
	public ReflectorListenerBeans(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Replaces the listeners, after Spring has registered all of them and before
	 * reflectors start.
	 */
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
				this.beans.put(name, eventType);
				replace(multicaster, name, eventType);
			}
		}
	}

	/**
	 * Finds the listeners that are declared for events of reflectors and receive changes
	 * of a type. Call this method only after the context has been refreshed.
	 * @param type the type of the objects
	 * @return listener methods, and names of listener beans in quotes. A remark is added
	 * to a method that is never called because it waits for a transaction
	 */
	public List<String> listenersOf(Class<?> type) {
		Stream<String> methods = this.beanFactory.getBeanProvider(ReflectorEventListenerFactory.class)
			.stream()
			.flatMap((factory) -> factory.declared().stream())
			.filter((method) -> receives(method.eventType(), type))
			.map((method) -> method.name() + (method.called() ? "" : " (not called)"));
		Stream<String> beans = this.beans.entrySet()
			.stream()
			.filter((bean) -> receives(bean.getValue(), type))
			.map((bean) -> "'" + bean.getKey() + "'");
		return Stream.concat(methods, beans).distinct().toList();
	}

	private static boolean receives(ResolvableType event, Class<?> type) {
		return CHANGES.stream()
			.anyMatch((change) -> EventTypes.matches(event, ResolvableType.forClassWithGenerics(change, type)));
	}

	private void replace(ApplicationEventMulticaster multicaster, String name, ResolvableType eventType) {
		// the bean is created now, because Spring registers a listener when its bean is
		// created
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
