package dev.reflector.event;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEvent;
import org.springframework.core.ResolvableType;
import org.springframework.transaction.event.TransactionalApplicationListenerMethodAdapter;

/**
 * A listener method for events of reflectors that waits for the end of a transaction, if
 * there is one. It works like any other transactional listener method, except that the
 * delivery of the event calls it, and that it is called if its condition needs unknown
 * content.
 */
final class TransactionalListenerMethod extends TransactionalApplicationListenerMethodAdapter
		implements GuardedListener {

	private final List<ResolvableType> declared;

	TransactionalListenerMethod(String beanName, Class<?> targetClass, Method method) {
		super(beanName, targetClass, method);
		this.declared = EventTypes.declared(targetClass, method);
	}

	@Override
	public boolean supportsEventType(ResolvableType type) {
		return super.supportsEventType(type)
				&& this.declared.stream().anyMatch((each) -> EventTypes.matches(each, type));
	}

	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		DeliveredEvent.pass(event, this);
	}

	@Override
	public void handle(ApplicationEvent event) {
		super.onApplicationEvent(event);
	}

	@Override
	public void processEvent(ApplicationEvent event) {
		if (!ListenerMethod.isUndecidable(this, event)) {
			super.processEvent(event);
			return;
		}
		@Nullable Object[] arguments = resolveArguments(event);
		Object result = (arguments != null) ? doInvoke(arguments) : null;
		if (result != null) {
			handleResult(result);
		}
	}

}
