package dev.reflector.autoconfigure.internal.diagnosis;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import dev.reflector.Reflector;
import dev.reflector.autoconfigure.internal.registration.MatchedBeans;
import dev.reflector.autoconfigure.internal.registration.NamedReflectors;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceUpdatedEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationListenerMethodAdapter;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncAnnotationBeanPostProcessor;
import org.springframework.scheduling.config.TaskManagementConfigUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Warns of listeners of durable mirrors that can lose changes. These are, first,
 * listeners that may return before their work is done, such as asynchronous listeners: a
 * change counts as completed when all listeners have returned, and is not delivered again
 * if the work of a listener fails after that. Second, listeners and handlers in a child
 * of the context that has the reflector: they join after the reflector has started, and
 * begin with all objects.
 */
public final class DurableListenersCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(DurableListenersCheck.class);

	private static final List<Class<?>> CHANGES = List.of(ResourceAddedEvent.class, ResourceUpdatedEvent.class,
			ResourceDeletedEvent.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final ApplicationContext context;

	/**
	 * Creates the check.
	 * @param beanFactory the factory of the reflectors
	 * @param context the context of the listeners
	 */
	public DurableListenersCheck(ConfigurableListableBeanFactory beanFactory, ApplicationContext context) {
		this.beanFactory = beanFactory;
		this.context = context;
	}

	/**
	 * Checks the listeners, after Spring has registered all of them and before reflectors
	 * start.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		List<Class<?>> types = durableTypes(false);
		if (!types.isEmpty() && this.context instanceof AbstractApplicationContext listening) {
			boolean async = isAsyncEnabled();
			boolean executor = hasExecutor();
			List<Class<?>> inherited = durableTypes(true);
			MatchedBeans beans = new MatchedBeans(this.beanFactory);
			inherited.stream()
				.flatMap((type) -> beans.localNames(ResourceEventHandler.class, type).stream())
				.distinct()
				.forEach((handler) -> warnInherited("handler '" + handler + "'"));
			for (ApplicationListener<?> listener : List.copyOf(listening.getApplicationListeners())) {
				if (receives(listener, types)) {
					check(listener, async, executor, receives(listener, inherited));
				}
			}
		}
	}

	/**
	 * Returns the types of the durable reflectors of this context and its parents.
	 * @param inherited whether to return only those of the parents
	 */
	private List<Class<?>> durableTypes(boolean inherited) {
		List<Class<?>> types = new ArrayList<>();
		for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, Reflector.class, false,
				false)) {
			Class<?> type = (inherited && this.beanFactory.containsLocalBean(name)) ? null
					: NamedReflectors.mirrored(this.beanFactory, name);
			if (type != null && this.beanFactory.getBean(name, Reflector.class).durability() != null) {
				types.add(type);
			}
		}
		return types;
	}

	/** Whether {@code @Async} has an effect in this context. */
	private boolean isAsyncEnabled() {
		return this.beanFactory.getBeanNamesForType(AsyncAnnotationBeanPostProcessor.class, true, false).length > 0
				|| this.beanFactory.containsLocalBean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME);
	}

	/** Whether Spring's multicaster calls listeners with an executor. */
	private boolean hasExecutor() {
		Object multicaster = this.beanFactory
			.getBean(AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME);
		Method getter = ReflectionUtils.findMethod(SimpleApplicationEventMulticaster.class, "getTaskExecutor");
		if (getter == null || !(multicaster instanceof SimpleApplicationEventMulticaster)) {
			return false;
		}
		ReflectionUtils.makeAccessible(getter);
		return ReflectionUtils.invokeMethod(getter, multicaster) != null;
	}

	private boolean receives(ApplicationListener<?> listener, List<Class<?>> types) {
		return types.stream().anyMatch((type) -> receives(listener, type));
	}

	private boolean receives(ApplicationListener<?> listener, Class<?> type) {
		return CHANGES.stream()
			.map((event) -> ResolvableType.forClassWithGenerics(event, type))
			.anyMatch((event) -> (listener instanceof ApplicationListenerMethodAdapter method)
					? method.supportsEventType(event) : declaredEvent(listener).isAssignableFrom(event));
	}

	/**
	 * Returns the type of reflector event that a listener declares, or {@code NONE}. A
	 * listener for a more general type of event is assumed to be a listener of the
	 * framework.
	 */
	private ResolvableType declaredEvent(ApplicationListener<?> listener) {
		String bean = nameOfLambda(listener);
		ResolvableType type = (bean != null) ? this.beanFactory.getMergedBeanDefinition(bean).getResolvableType()
				: ResolvableType.forClass(AopUtils.getTargetClass(listener));
		ResolvableType event = type.as(ApplicationListener.class).getGeneric();
		return ResourceEvent.class.isAssignableFrom(event.toClass()) ? event : ResolvableType.NONE;
	}

	/**
	 * Returns the name of the bean if the listener is a lambda expression, otherwise
	 * {@code null}. The class of a lambda expression declares no type of event, but its
	 * bean definition does.
	 */
	private @Nullable String nameOfLambda(ApplicationListener<?> listener) {
		if (!listener.getClass().isSynthetic()) {
			return null;
		}
		return Stream.of(this.beanFactory.getBeanNamesForType(ApplicationListener.class, false, false))
			.filter((name) -> this.beanFactory.getSingleton(name) == listener
					&& this.beanFactory.containsBeanDefinition(name))
			.findFirst()
			.orElse(null);
	}

	private void check(ApplicationListener<?> listener, boolean async, boolean executor, boolean inherited) {
		boolean elsewhere = executor && listener.supportsAsyncExecution();
		if (listener instanceof ApplicationListenerMethodAdapter adapter) {
			Method method = adapter.getTargetMethod();
			EventListener annotation = AnnotatedElementUtils.findMergedAnnotation(method, EventListener.class);
			String name = method.getDeclaringClass().getName() + "." + method.getName();
			if (annotation != null && !annotation.defaultExecution()) {
				return;
			}
			warn(name, reason(method.getDeclaringClass(), List.of(method), async, elsewhere), inherited);
		}
		else {
			Class<?> type = AopUtils.getTargetClass(listener);
			List<Method> methods = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
				.filter((method) -> method.getName().equals("onApplicationEvent"))
				.toList();
			String bean = nameOfLambda(listener);
			warn((bean != null) ? "'" + bean + "'" : type.getName() + ".onApplicationEvent",
					reason(type, methods, async, elsewhere), inherited);
		}
	}

	private static @Nullable String reason(Class<?> type, List<Method> methods, boolean async, boolean elsewhere) {
		if (async && (AnnotatedElementUtils.hasAnnotation(type, Async.class)
				|| methods.stream().anyMatch((method) -> AnnotatedElementUtils.hasAnnotation(method, Async.class)))) {
			return "it is @Async";
		}
		for (Method method : methods) {
			if (KotlinDetector.isSuspendingFunction(method)) {
				return "it is a suspend function, which returns at its first suspension";
			}
			if (ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType()) != null) {
				return "it returns a " + method.getReturnType().getSimpleName() + ", which is not waited for";
			}
		}
		return elsewhere ? "the ApplicationEventMulticaster calls it with an executor" : null;
	}

	private static void warn(String listener, @Nullable String reason, boolean inherited) {
		if (reason != null) {
			logger.warn("The listener {} returns before its work is done: {}. The mirror is durable, so a "
					+ "change counts as completed when its listeners have returned. If the work fails later, or "
					+ "the application ends first, the change is not delivered again. Do the work "
					+ "before the method returns", listener, reason);
		}
		if (inherited) {
			warnInherited("listener " + listener);
		}
	}

	private static void warnInherited(String receiver) {
		logger.warn("The {} is in a child context, and the durable mirror in a parent. At each start, it receives "
				+ "all objects as added, but no deletions from while the application was down. Define it in the "
				+ "context of the reflector", receiver);
	}

}
