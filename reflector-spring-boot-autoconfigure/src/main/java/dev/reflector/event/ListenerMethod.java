package dev.reflector.event;

import java.lang.reflect.Method;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.ApplicationListenerMethodAdapter;
import org.springframework.core.ResolvableType;

/**
 * A listener method of events of reflectors: in all an ordinary one, but called by the
 * delivery of the event.
 */
final class ListenerMethod extends ApplicationListenerMethodAdapter implements GuardedListener {

	private final String name;

	private final ResolvableType eventType;

	ListenerMethod(String beanName, Class<?> targetClass, Method method) {
		super(beanName, targetClass, method);
		this.name = targetClass.getName() + "." + method.getName();
		this.eventType = (method.getParameterCount() == 1) ? ResolvableType.forMethodParameter(method, 0, targetClass)
				: ResolvableType.NONE;
	}

	/** Class and name of the method. */
	String name() {
		return this.name;
	}

	/** What its parameter says, nothing when it has none. */
	ResolvableType eventType() {
		return this.eventType;
	}

	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		deliver(event);
	}

	@Override
	public void handle(ApplicationEvent event) {
		super.onApplicationEvent(event);
	}

}
