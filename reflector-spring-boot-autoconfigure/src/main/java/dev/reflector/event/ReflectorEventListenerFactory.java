package dev.reflector.event;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.EventListenerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Creates the listeners for methods that are annotated with {@link EventListener} and
 * accept only events of reflectors. If such a listener throws an exception, the other
 * listeners are still called. If it is slow, a warning names it. Spring creates the
 * listeners for all other methods.
 *
 * @since 0.1.0
 */
public final class ReflectorEventListenerFactory implements EventListenerFactory, Ordered {

	/**
	 * Order of this factory: after all other factories, but before Spring's factory that
	 * accepts every method.
	 */
	private static final int ORDER = LOWEST_PRECEDENCE - 16;

	private final List<Declared> declared = new CopyOnWriteArrayList<>();

	/**
	 * Creates the factory.
	 */
	public ReflectorEventListenerFactory() {
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public boolean supportsMethod(Method method) {
		return isForEvents(method);
	}

	static boolean isForEvents(Method method) {
		if (method.getParameterCount() == 1) {
			return DeliveredEvent.class.isAssignableFrom(method.getParameterTypes()[0]);
		}
		EventListener annotation = AnnotatedElementUtils.findMergedAnnotation(method, EventListener.class);
		return annotation != null && annotation.classes().length > 0
				&& Arrays.stream(annotation.classes()).allMatch(DeliveredEvent.class::isAssignableFrom);
	}

	@Override
	public ApplicationListener<?> createApplicationListener(String beanName, Class<?> type, Method method) {
		declared(type, method);
		return new ListenerMethod(beanName, type, method);
	}

	/** Records a listener method, so that the type of its events can be checked later. */
	void declared(Class<?> type, Method method) {
		String name = type.getName() + "." + method.getName();
		EventListener annotation = AnnotatedElementUtils.findMergedAnnotation(method, EventListener.class);
		// when a reflector publishes an event, no transaction is active, so only default
		// execution calls the method
		boolean called = annotation == null || annotation.defaultExecution();
		EventTypes.declared(type, method).forEach((event) -> this.declared.add(new Declared(name, event, called)));
	}

	/** Returns the recorded listener methods. */
	List<Declared> declared() {
		return this.declared;
	}

	/**
	 * A listener method.
	 *
	 * @param name class and name of the method
	 * @param eventType type of the method's parameter, or one of the types that the
	 * annotation declares if there is no parameter
	 * @param called whether the method is called although no transaction is active
	 */
	record Declared(String name, ResolvableType eventType, boolean called) {

	}

}
