package dev.reflector.event;

import java.lang.reflect.Method;
import java.util.List;

import dev.reflector.cache.handler.ContentUnknownException;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.ApplicationListenerMethodAdapter;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.ResolvableType;

/**
 * A listener method for events of reflectors. It works like any other listener method,
 * except that the delivery of the event calls it. A condition on the content of a deleted
 * object cannot be evaluated if the content is unknown. In that case, the listener method
 * is called, because it may have received the object before and must learn of the
 * deletion.
 */
final class ListenerMethod extends ApplicationListenerMethodAdapter implements GuardedListener {

	private final List<ResolvableType> declared;

	ListenerMethod(String beanName, Class<?> targetClass, Method method) {
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
		if (!isUndecidable(this, event)) {
			super.processEvent(event);
			return;
		}
		@Nullable Object[] arguments = resolveArguments(event);
		Object result = (arguments != null) ? doInvoke(arguments) : null;
		if (result != null) {
			handleResult(result);
		}
	}

	/**
	 * Whether the condition of a listener method cannot be evaluated, because it needs
	 * content that is unknown.
	 * @param method the listener method
	 * @param event the event
	 * @return whether the listener method must be called without asking the condition
	 */
	static boolean isUndecidable(ApplicationListenerMethodAdapter method, ApplicationEvent event) {
		if (!(event instanceof ResourceDeletedEvent<?> deleted && deleted.contentUnknown())) {
			return false;
		}
		try {
			method.shouldHandle(event);
			return false;
		}
		catch (RuntimeException ex) {
			// an expression may wrap the exception
			if (NestedExceptionUtils.getMostSpecificCause(ex) instanceof ContentUnknownException) {
				return true;
			}
			throw ex;
		}
	}

}
