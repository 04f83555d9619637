package dev.reflector.event;

import java.lang.reflect.Method;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.ApplicationListenerMethodAdapter;

/**
 * A listener method for events of reflectors. It is like any other listener method,
 * except that the delivery of the event calls it.
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
