package dev.reflector.autoconfigure.internal.diagnosis;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.reflector.Reflector;
import dev.reflector.autoconfigure.internal.registration.NamedReflectors;
import dev.reflector.event.ResourceEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ApplicationListenerMethodAdapter;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Warns of listener methods that are never called. A method whose parameter is the class
 * of mirrored objects, or a supertype of this class, receives nothing, because reflectors
 * publish events and not objects. A method that waits for the end of a transaction is
 * never called, because no transaction is active when a reflector publishes an event.
 */
public final class SilentListenersCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(SilentListenersCheck.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final ApplicationContext context;

	/**
	 * Creates the check.
	 * @param beanFactory the factory of the reflectors
	 * @param context the context of the listeners
	 */
	public SilentListenersCheck(ConfigurableListableBeanFactory beanFactory, ApplicationContext context) {
		this.beanFactory = beanFactory;
		this.context = context;
	}

	/**
	 * Checks the listeners, after Spring has registered all of them and before reflectors
	 * start.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		Set<Class<?>> mirrored = mirrored();
		if (!mirrored.isEmpty() && this.context instanceof AbstractApplicationContext listening) {
			List.copyOf(listening.getApplicationListeners())
				.stream()
				.filter(ApplicationListenerMethodAdapter.class::isInstance)
				.map((listener) -> ((ApplicationListenerMethodAdapter) listener).getTargetMethod())
				.forEach((method) -> check(method, mirrored));
		}
	}

	private Set<Class<?>> mirrored() {
		Set<Class<?>> types = new HashSet<>();
		for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, Reflector.class, false,
				false)) {
			Class<?> type = NamedReflectors.mirrored(this.beanFactory, name);
			if (type != null) {
				types.add(type);
			}
		}
		return types;
	}

	private static void check(Method method, Set<Class<?>> mirrored) {
		EventListener annotation = AnnotatedElementUtils.findMergedAnnotation(method, EventListener.class);
		List<Class<?>> events = events(method, annotation);
		String name = method.getDeclaringClass().getName() + "." + method.getName();
		events.stream()
			.filter((type) -> isForObjects(type, mirrored))
			.findFirst()
			.ifPresent((type) -> logger.warn(
					"The listener {} gets no events from a reflector: its parameter is a {}, but a reflector "
							+ "publishes events about objects. Use ResourceEvent<{}>, whose resource() is the object",
					name, type.getSimpleName(), (mirrored.contains(type) ? "" : "? extends ") + type.getSimpleName()));
		if (annotation != null && !annotation.defaultExecution()
				&& events.stream().anyMatch(SilentListenersCheck::isPublishedOutsideOfTransactions)) {
			logger.warn("The listener {} is not called: it waits for the end of a transaction, but a reflector "
					+ "publishes its events without a transaction. Use @EventListener, or set " + "'fallbackExecution'",
					name);
		}
	}

	/**
	 * Returns the types of events or payloads that a method listens for.
	 */
	private static List<Class<?>> events(Method method, @Nullable EventListener annotation) {
		if (annotation != null && annotation.classes().length > 0) {
			return Arrays.asList(annotation.classes());
		}
		if (method.getParameterCount() != 1) {
			return List.of();
		}
		ResolvableType parameter = ResolvableType.forMethodParameter(method, 0);
		return List.of((parameter.toClass() == PayloadApplicationEvent.class) ? parameter.getGeneric().toClass()
				: parameter.toClass());
	}

	/**
	 * Whether a listener for this type expects mirrored objects. For a type of the JDK,
	 * such as {@code Object}, returns {@code false}, because the listener may expect
	 * other events, or events of reflectors.
	 */
	private static boolean isForObjects(Class<?> type, Set<Class<?>> mirrored) {
		return mirrored.contains(type)
				|| (!type.getName().startsWith("java.") && mirrored.stream().anyMatch(type::isAssignableFrom));
	}

	/**
	 * Whether reflectors publish events of this type. All event types of reflectors are
	 * in one package.
	 */
	private static boolean isPublishedOutsideOfTransactions(Class<?> event) {
		return event.getPackageName().equals(ResourceEvent.class.getPackageName());
	}

}
