package dev.reflector.event;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.event.TransactionalEventListenerFactory;

/**
 * Creates the listeners for methods that are annotated with
 * {@link TransactionalEventListener} and accept only events of reflectors. For methods
 * without this annotation, {@link ReflectorEventListenerFactory} creates the listeners.
 * Without transaction management, that factory also creates the listeners for methods
 * with this annotation, as ordinary listeners.
 *
 * @since 0.1.0
 */
public final class ReflectorTransactionalListenerFactory extends TransactionalEventListenerFactory {

	private final ListableBeanFactory beanFactory;

	/**
	 * Creates the factory.
	 * @param beanFactory supplies the factory of the transaction management, if there is
	 * one
	 */
	public ReflectorTransactionalListenerFactory(ListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		// this factory is asked before Spring's factory for transactional methods
		setOrder(getOrder() - 1);
	}

	@Override
	public boolean supportsMethod(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, TransactionalEventListener.class)
				&& ReflectorEventListenerFactory.isForEvents(method) && other() != null;
	}

	@Override
	public ApplicationListener<?> createApplicationListener(String beanName, Class<?> type, Method method) {
		TransactionalEventListenerFactory other = other();
		if (other != null) {
			// the result is not used; the call throws an exception if the method is not
			// valid
			other.createApplicationListener(beanName, type, method);
		}
		this.beanFactory.getBeanProvider(ReflectorEventListenerFactory.class)
			.ifAvailable((factory) -> factory.declared(type, method));
		return new TransactionalListenerMethod(beanName, type, method);
	}

	private @Nullable TransactionalEventListenerFactory other() {
		return this.beanFactory.getBeanProvider(TransactionalEventListenerFactory.class)
			.stream()
			.filter((factory) -> factory != this)
			.findFirst()
			.orElse(null);
	}

}
