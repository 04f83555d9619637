package dev.reflector.event;

import java.lang.reflect.Method;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.ApplicationListenerMethodAdapter;

/**
 * A listener method of events of reflectors: in all an ordinary one, but called by the
 * delivery of the event, which knows what to do when it fails or is slow.
 */
final class ListenerMethod extends ApplicationListenerMethodAdapter {

	ListenerMethod(String beanName, Class<?> targetClass, Method method) {
		super(beanName, targetClass, method);
	}

	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		Delivery delivery = (event instanceof DeliveredEvent delivered) ? delivered.delivery() : null;
		// on another thread, nobody waits for the outcome any more
		if (delivery != null && delivery.isOnThisThread()) {
			delivery.call(this);
		}
		else {
			handle(event);
		}
	}

	void handle(ApplicationEvent event) {
		super.onApplicationEvent(event);
	}

}
