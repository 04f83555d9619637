package dev.reflector.autoconfigure.internal.registration;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.reflector.GenericResource;
import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
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
 * Called by the registrar, and by generated code when the context was processed ahead of
 * time.
 */
public final class ReflectorBeanDefinitions {

	/** Attribute of a definition: the mirrored type. */
	public static final String TYPE_ATTRIBUTE = ReflectorBeanDefinitions.class.getName() + ".type";

	/** Attribute of a lister or a stream: name of the reflector's bean. */
	static final String REFLECTOR_ATTRIBUTE = ReflectorBeanDefinitions.class.getName() + ".reflector";

	/** Attribute of a definition: name of the reflector of a type without a class. */
	public static final String GENERIC_ATTRIBUTE = ReflectorBeanDefinitions.class.getName() + ".generic";

	/** Attribute of a definition: name of the bean of a registration. */
	public static final String REGISTRATION_ATTRIBUTE = ReflectorBeanDefinitions.class.getName() + ".registration";

	private ReflectorBeanDefinitions() {
	}

	static void registerReflector(DefaultListableBeanFactory beanFactory, String beanName, String typeName) {
		Class<?> type = ClassUtils.resolveClassName(typeName, beanFactory.getBeanClassLoader());
		RootBeanDefinition definition = definition(SharedInformer.class, type,
				() -> beanFactory.getBean(ReflectorFactory.class).create(type));
		// so that wrong settings fail the start, even when beans are lazy by default
		definition.setLazyInit(false);
		beanFactory.registerBeanDefinition(beanName, definition);
	}

	static void registerLister(DefaultListableBeanFactory beanFactory, String beanName, String typeName,
			String reflectorBeanName) {
		Class<?> type = ClassUtils.resolveClassName(typeName, beanFactory.getBeanClassLoader());
		RootBeanDefinition definition = definition(Lister.class, type,
				() -> informer(beanFactory, reflectorBeanName).lister());
		definition.setAttribute(REFLECTOR_ATTRIBUTE, reflectorBeanName);
		beanFactory.registerBeanDefinition(beanName, definition);
	}

	@SuppressWarnings("unchecked")
	static void registerStream(DefaultListableBeanFactory beanFactory, String beanName, String typeName,
			String reflectorBeanName) {
		Class<Object> type = (Class<Object>) ClassUtils.resolveClassName(typeName, beanFactory.getBeanClassLoader());
		RootBeanDefinition definition = definition(ResourceEventStream.class, type,
				() -> new ResourceEventStream<>(type, informer(beanFactory, reflectorBeanName)));
		definition.setAttribute(REFLECTOR_ATTRIBUTE, reflectorBeanName);
		beanFactory.registerBeanDefinition(beanName, definition);
	}

	@SuppressWarnings("unchecked")
	static void registerGeneric(DefaultListableBeanFactory beanFactory, String name) {
		String reflectorBeanName = genericReflector(name);
		RootBeanDefinition reflector = generic(SharedInformer.class, name,
				() -> beanFactory.getBean(ReflectorFactory.class).createGeneric(name));
		reflector.setLazyInit(false);
		beanFactory.registerBeanDefinition(reflectorBeanName, reflector);
		beanFactory.registerBeanDefinition(genericLister(name),
				generic(Lister.class, name, () -> informer(beanFactory, reflectorBeanName).lister()));
		beanFactory.registerBeanDefinition(name + "EventStream", generic(ResourceEventStream.class, name,
				() -> new ResourceEventStream<>(GenericResource.class, informer(beanFactory, reflectorBeanName))));
	}

	@SuppressWarnings("unchecked")
	static <T> void registerRegistered(DefaultListableBeanFactory beanFactory, String bean, String name,
			ReflectedResourceRegistration<T> registration) {
		Class<T> type = registration.type();
		String reflectorBeanName = genericReflector(name);
		RootBeanDefinition reflector = definition(SharedInformer.class, type,
				() -> beanFactory.getBean(ReflectorFactory.class).createRegistered(bean, registration));
		reflector.setLazyInit(false);
		RootBeanDefinition lister = definition(Lister.class, type,
				() -> informer(beanFactory, reflectorBeanName).lister());
		RootBeanDefinition stream = definition(ResourceEventStream.class, type,
				() -> new ResourceEventStream<>(type, informer(beanFactory, reflectorBeanName)));
		Map.of(reflectorBeanName, reflector, genericLister(name), lister, name + "EventStream", stream)
			.forEach((beanName, definition) -> {
				definition.setAttribute(REGISTRATION_ATTRIBUTE, bean);
				qualify(definition, name);
				// the beans of an annotated type come first
				definition.setFallback(true);
				beanFactory.registerBeanDefinition(beanName, definition);
			});
	}

	/** Finds a reflector. A test may have replaced it by a mock. */
	@SuppressWarnings("rawtypes")
	private static SharedInformer informer(DefaultListableBeanFactory beanFactory, String reflectorBeanName) {
		Object reflector = beanFactory.getBean(reflectorBeanName);
		if (reflector instanceof SharedInformer informer && NamedReflectors.name(informer) != null) {
			return informer;
		}
		throw new ReflectorConfigurationException(
				"The bean '" + reflectorBeanName + "' is a " + reflector.getClass().getName()
						+ ", which has no mirror from which its Lister or its ResourceEventStream could be made.",
				"Replace those beans as well, for example by @MockitoBean, or do not replace the reflector.");
	}

	/**
	 * Gives a bean the name of its reflector as qualifier, as an annotation would. The
	 * name of the bean stays a qualifier, which an explicit qualifier would hide.
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

	static String genericLister(String name) {
		return name + "Lister";
	}

	private static RootBeanDefinition generic(Class<?> beanType, String name, Supplier<?> supplier) {
		RootBeanDefinition definition = definition(beanType, GenericResource.class, supplier);
		definition.setAttribute(GENERIC_ATTRIBUTE, name);
		// all such beans have the same type: the name of the reflector tells them apart
		qualify(definition, name);
		return definition;
	}

	private static RootBeanDefinition definition(Class<?> beanType, Class<?> type, Supplier<?> supplier) {
		RootBeanDefinition definition = new RootBeanDefinition(beanType);
		definition.setTargetType(ResolvableType.forClassWithGenerics(beanType, type));
		definition.setInstanceSupplier(supplier);
		// made when they are asked for; reflectors set this back
		definition.setLazyInit(true);
		definition.setAttribute(TYPE_ATTRIBUTE, type);
		definition.setAttribute(BeanRegistrationAotProcessor.IGNORE_REGISTRATION_ATTRIBUTE, true);
		return definition;
	}

}
