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

	private static final List<Class<?>> CHANGES = List.of(ResourceAddedEvent.class, ResourceUpdatedEvent.class,
			ResourceDeletedEvent.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final Map<String, ResolvableType> beans = new LinkedHashMap<>();

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
				this.beans.put(name, eventType);
				replace(multicaster, name, eventType);
			}
		}
	}

	/**
	 * Finds the listeners that receive changes of a type, as far as they are declared for
	 * events of reflectors. To be called after the context has been refreshed.
	 * @param type the type of the objects
	 * @return methods, with a remark if a method waits for a transaction and is not
	 * called, and names of beans in quotes
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
			.anyMatch((change) -> event.isAssignableFrom(ResolvableType.forClassWithGenerics(change, type)));
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
