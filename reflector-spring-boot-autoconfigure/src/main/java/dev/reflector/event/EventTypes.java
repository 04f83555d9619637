package dev.reflector.event;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import org.springframework.context.event.EventListener;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Compares the types of events with the types that listeners declare. Spring compares
 * only the classes of the events if it does not know all generics of the mirrored type,
 * for example if that type implements a raw interface. The listener would then receive
 * the events of other types.
 */
final class EventTypes {

	private EventTypes() {
	}

	/**
	 * Returns the types of events that a listener method declares.
	 * @param type the class of the bean
	 * @param method the method
	 * @return the type of the parameter, or the types in the annotation if there is no
	 * parameter
	 */
	static List<ResolvableType> declared(Class<?> type, Method method) {
		// a suspending function of Kotlin has one parameter more
		int parameters = method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
		if (parameters == 1) {
			return List.of(ResolvableType.forMethodParameter(method, 0, type));
		}
		EventListener annotation = AnnotatedElementUtils.findMergedAnnotation(method, EventListener.class);
		return (annotation != null) ? Arrays.stream(annotation.classes()).map(ResolvableType::forClass).toList()
				: List.of();
	}

	/**
	 * Returns whether a listener receives an event.
	 * @param declared the type of event that the listener declares
	 * @param event the type of the event
	 * @return whether the listener receives the event
	 */
	static boolean matches(ResolvableType declared, ResolvableType event) {
		return declared.isAssignableFrom(seenAs(declared, event));
	}

	/**
	 * Adds the type arguments of the objects that a listener declares to the type of an
	 * event. A reflector knows the class of its objects only, so a listener for
	 * {@code ResourceEvent<Box<Spec>>} receives the events of {@code Box}.
	 * @param declared the type of event that the listener declares
	 * @param event the type of the event
	 * @return the type of the event, unchanged if its objects have another class
	 */
	static ResolvableType seenAs(ResolvableType declared, ResolvableType event) {
		Class<?> base = (event.as(ResourceEvent.class) != ResolvableType.NONE) ? ResourceEvent.class
				: ResourceDeadLetterEvent.class;
		ResolvableType objects = declared.as(base).getGeneric();
		Class<?> type = objects.resolve();
		return (type != null && type == event.as(base).getGeneric().resolve())
				? ResolvableType.forClassWithGenerics(event.toClass(), objects) : event;
	}

}
