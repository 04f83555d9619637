package dev.reflector.autoconfigure.internal.registration;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.reflector.GenericResource;
import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.autoconfigure.registration.ReflectorNaming;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.event.ResourceEventStream;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.ClassUtils;

/**
 * Registers the three beans of a mirrored type: reflector, lister and stream of events.
 * Called by the registrar, or by generated code if the context was processed ahead of
 * time.
 */
public final class ReflectorBeanDefinitions {

	/** Attribute of bean definitions: the mirrored type. */
	public static final String TYPE_ATTRIBUTE = ReflectorBeanDefinitions.class.getName() + ".type";

	/**
	 * Attribute of the bean definitions of listers and streams: the name of the
	 * reflector's bean.
	 */
	static final String REFLECTOR_ATTRIBUTE = ReflectorBeanDefinitions.class.getName() + ".reflector";

	/**
	 * Attribute of bean definitions whose mirrored type has no class: the name of the
	 * reflector.
	 */
	public static final String GENERIC_ATTRIBUTE = ReflectorBeanDefinitions.class.getName() + ".generic";

	/**
	 * Attribute of bean definitions that a registration has caused: the name of the
	 * registration's bean.
	 */
	public static final String REGISTRATION_ATTRIBUTE = ReflectorBeanDefinitions.class.getName() + ".registration";

	private ReflectorBeanDefinitions() {
	}

	static void registerReflector(DefaultListableBeanFactory beanFactory, String beanName, String typeName) {
		Class<?> type = type(beanFactory, typeName);
		beanFactory.registerBeanDefinition(beanName,
				reflector(type, () -> beanFactory.getBean(ReflectorFactory.class).create(type)));
	}

	static void registerLister(DefaultListableBeanFactory beanFactory, String beanName, String typeName,
			String reflectorBeanName) {
		beanFactory.registerBeanDefinition(beanName,
				lister(beanFactory, type(beanFactory, typeName), reflectorBeanName));
	}

	static void registerStream(DefaultListableBeanFactory beanFactory, String beanName, String typeName,
			String reflectorBeanName) {
		beanFactory.registerBeanDefinition(beanName,
				stream(beanFactory, type(beanFactory, typeName), reflectorBeanName));
	}

	private static Class<?> type(DefaultListableBeanFactory beanFactory, String name) {
		return ClassUtils.resolveClassName(name, beanFactory.getBeanClassLoader());
	}

	static void registerGeneric(DefaultListableBeanFactory beanFactory, String name) {
		RootBeanDefinition reflector = reflector(GenericResource.class,
				() -> beanFactory.getBean(ReflectorFactory.class).createGeneric(name));
		registerNamed(beanFactory, name, GenericResource.class, reflector,
				(definition) -> definition.setAttribute(GENERIC_ATTRIBUTE, name));
	}

	static <T> void registerRegistered(DefaultListableBeanFactory beanFactory, String bean, String name,
			ReflectedResourceRegistration<T> registration) {
		RootBeanDefinition reflector = reflector(registration.type(),
				() -> beanFactory.getBean(ReflectorFactory.class).createRegistered(bean, registration));
		registerNamed(beanFactory, name, registration.type(), reflector, (definition) -> {
			definition.setAttribute(REGISTRATION_ATTRIBUTE, bean);
			// if the type is also annotated, an injection point without a qualifier gets
			// the beans of the annotation
			definition.setFallback(true);
		});
	}

	/**
	 * Registers the three beans under names that begin with the name of the reflector.
	 * The name of the type would not do, because several reflectors may have the same
	 * type.
	 */
	private static void registerNamed(DefaultListableBeanFactory beanFactory, String name, Class<?> type,
			RootBeanDefinition reflector, Consumer<RootBeanDefinition> customizer) {
		String reflectorBeanName = genericReflector(name);
		Map.of(reflectorBeanName, reflector, genericLister(name), lister(beanFactory, type, reflectorBeanName),
				genericStream(name), stream(beanFactory, type, reflectorBeanName))
			.forEach((beanName, definition) -> {
				customizer.accept(definition);
				qualify(definition, name);
				beanFactory.registerBeanDefinition(beanName, definition);
			});
	}

	private static RootBeanDefinition reflector(Class<?> type, Supplier<?> supplier) {
		RootBeanDefinition definition = definition(SharedInformer.class, type, supplier);
		// not lazy, so that wrong settings fail the start even if beans are lazy by
		// default
		definition.setLazyInit(false);
		return definition;
	}

	private static RootBeanDefinition lister(DefaultListableBeanFactory beanFactory, Class<?> type, String reflector) {
		RootBeanDefinition definition = definition(Lister.class, type, () -> informer(beanFactory, reflector).lister());
		definition.setAttribute(REFLECTOR_ATTRIBUTE, reflector);
		return definition;
	}

	@SuppressWarnings("unchecked")
	private static <T> RootBeanDefinition stream(DefaultListableBeanFactory beanFactory, Class<T> type,
			String reflector) {
		RootBeanDefinition definition = definition(ResourceEventStream.class, type,
				() -> new ResourceEventStream<>(type, informer(beanFactory, reflector)));
		definition.setAttribute(REFLECTOR_ATTRIBUTE, reflector);
		return definition;
	}

	/** Returns a reflector. Throws an exception if a test has replaced it by a mock. */
	@SuppressWarnings("rawtypes")
	private static SharedInformer informer(DefaultListableBeanFactory beanFactory, String reflectorBeanName) {
		Object reflector = beanFactory.getBean(reflectorBeanName);
		if (reflector instanceof SharedInformer informer && ReflectorNaming.isNamed(informer)) {
			return informer;
		}
		throw new ReflectorConfigurationException(
				"The bean '" + reflectorBeanName + "' is a " + reflector.getClass().getName()
						+ ", which has no mirror for a Lister or a ResourceEventStream.",
				"Replace those beans as well, for example by @MockitoBean, or do not replace the reflector.");
	}

	/**
	 * Gives a bean the name of its reflector as qualifier, as if the bean had a
	 * {@code @Qualifier} annotation. A qualifier in the bean definition would not do:
	 * with it, the name of the bean would no longer be a qualifier.
	 */
	static void qualify(RootBeanDefinition definition, String name) {
		Qualifier qualifier = MergedAnnotation.of(Qualifier.class, Map.of("value", name)).synthesize();
		definition.setQualifiedElement(AnnotatedElementUtils.forAnnotations(qualifier));
	}

	/**
	 * Finds the beans of a context and its parents that are reflectors or registrations.
	 * @param beanFactory the context
	 * @return names of beans
	 */
	public static List<String> reflectorsAndRegistrations(ListableBeanFactory beanFactory) {
		return Stream.of(Reflector.class, ReflectedResourceRegistration.class)
			.flatMap((type) -> Stream
				.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, type, true, false)))
			.toList();
	}

	static String genericReflector(String name) {
		return name + "Reflector";
	}

	private static String genericLister(String name) {
		return name + "Lister";
	}

	private static String genericStream(String name) {
		return name + "EventStream";
	}

	/**
	 * Returns the names of the three beans of a reflector that no annotation declares.
	 * @param name the name of the reflector
	 * @return the names of the beans
	 */
	static List<String> generic(String name) {
		return List.of(genericReflector(name), genericLister(name), genericStream(name));
	}

	private static RootBeanDefinition definition(Class<?> beanType, Class<?> type, Supplier<?> supplier) {
		RootBeanDefinition definition = new RootBeanDefinition(beanType);
		definition.setTargetType(ResolvableType.forClassWithGenerics(beanType, type));
		definition.setInstanceSupplier(supplier);
		// listers and streams are made when they are injected; for reflectors, the caller
		// sets this to false
		definition.setLazyInit(true);
		definition.setAttribute(TYPE_ATTRIBUTE, type);
		definition.setAttribute(BeanRegistrationAotProcessor.IGNORE_REGISTRATION_ATTRIBUTE, true);
		return definition;
	}

}
