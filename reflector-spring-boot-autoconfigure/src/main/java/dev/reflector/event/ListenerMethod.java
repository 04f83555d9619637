package dev.reflector.event;

import java.lang.reflect.Method;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.ApplicationListenerMethodAdapter;

/**
 * A listener method of events of reflectors: in all an ordinary one, but called by the
 * delivery of the event.
 */
final class ListenerMethod extends ApplicationListenerMethodAdapter implements GuardedListener {

	ListenerMethod(String beanName, Class<?> targetClass, Method method) {
		super(beanName, targetClass, method);
	}

	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		DeliveredEvent.pass(event, this);
	}

	@Override
	public void handle(ApplicationEvent event) {
		super.onApplicationEvent(event);
	}

}
