package dev.reflector.event;

import java.lang.reflect.Method;
import java.util.List;

import dev.reflector.cache.handler.ContentUnknownException;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.ApplicationListenerMethodAdapter;
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
		if (event instanceof ResourceDeletedEvent<?> deleted && deleted.contentUnknown() && !isDecidable(event)) {
			invoke(event);
			return;
		}
		super.onApplicationEvent(event);
	}

	private boolean isDecidable(ApplicationEvent event) {
		try {
			shouldHandle(event);
			return true;
		}
		catch (ContentUnknownException ex) {
			return false;
		}
	}

	private void invoke(ApplicationEvent event) {
		@Nullable Object[] arguments = resolveArguments(event);
		Object result = (arguments != null) ? doInvoke(arguments) : null;
		if (result != null) {
			handleResult(result);
		}
	}

}
