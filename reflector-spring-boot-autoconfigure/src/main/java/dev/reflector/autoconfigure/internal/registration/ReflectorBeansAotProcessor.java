package dev.reflector.autoconfigure.internal.registration;

import java.util.List;
import java.util.stream.Stream;

import javax.lang.model.element.Modifier;

import dev.reflector.event.ResourceEventStream;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.generate.GeneratedClass;
import org.springframework.aot.generate.GeneratedMethod;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.aot.BeanFactoryInitializationCode;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.javapoet.MethodSpec;

/**
 * Writes the result of the scan into generated code, and contributes the hints that
 * mirrored types and listeners need. The code contains the names of types as text, so
 * that the types need not be public. For a type without a class, the code contains only
 * the name of the reflector. So the set of reflectors is fixed when the application is
 * built, but their other properties are read when the application runs.
 */
final class ReflectorBeansAotProcessor implements BeanFactoryInitializationAotProcessor {

	@Override
	public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
			ConfigurableListableBeanFactory beanFactory) {
		List<Registration> registrations = Stream.of(beanFactory.getBeanDefinitionNames())
			.flatMap((name) -> Registration.of(name, beanFactory.getBeanDefinition(name)).stream())
			.toList();
		List<Class<?>> applied = beanFactory.containsLocalBean(AppliedResourceTypes.BEAN_NAME)
				? beanFactory.getBean(AppliedResourceTypes.BEAN_NAME, AppliedResourceTypes.class)
					.load(beanFactory.getBeanClassLoader())
				: List.of();
		return (registrations.isEmpty() && applied.isEmpty()) ? null : new Contribution(registrations, applied);
	}

	/**
	 * A bean definition for which to generate code.
	 *
	 * @param beanName name of the bean
	 * @param type the mirrored type
	 * @param reflector for a lister or a stream, the name of the reflector's bean,
	 * otherwise {@code null}
	 * @param generic for a type without a class, the name of the reflector, otherwise
	 * {@code null}
	 * @param stream whether the bean is a stream
	 * @param registered whether a registration registers the bean when the application
	 * runs
	 */
	private record Registration(String beanName, Class<?> type, @Nullable String reflector, @Nullable String generic,
			boolean stream, boolean registered) {

		private static List<Registration> of(String beanName, BeanDefinition definition) {
			Object type = definition.getAttribute(ReflectorBeanDefinitions.TYPE_ATTRIBUTE);
			if (!(type instanceof Class<?> mirrored)) {
				return List.of();
			}
			boolean registered = definition.hasAttribute(ReflectorBeanDefinitions.REGISTRATION_ATTRIBUTE);
			String generic = (String) definition.getAttribute(ReflectorBeanDefinitions.GENERIC_ATTRIBUTE);
			if (generic != null && !beanName.equals(ReflectorBeanDefinitions.genericReflector(generic))) {
				// the generated code for the reflector also registers this lister or
				// stream
				return List.of();
			}
			String reflector = (String) definition.getAttribute(ReflectorBeanDefinitions.REFLECTOR_ATTRIBUTE);
			boolean stream = ResourceEventStream.class.getName().equals(definition.getBeanClassName());
			return List.of(new Registration(beanName, mirrored, reflector, generic, stream, registered));
		}

		private void addTo(MethodSpec.Builder method, String beanFactory) {
			if (this.registered) {
				return;
			}
			if (this.generic != null) {
				method.addStatement("$T.registerGeneric($L, $S)", ReflectorBeanDefinitions.class, beanFactory,
						this.generic);
			}
			else if (this.reflector == null) {
				method.addStatement("$T.registerReflector($L, $S, $S)", ReflectorBeanDefinitions.class, beanFactory,
						this.beanName, this.type.getName());
			}
			else {
				method.addStatement("$T.$L($L, $S, $S, $S)", ReflectorBeanDefinitions.class,
						this.stream ? "registerStream" : "registerLister", beanFactory, this.beanName,
						this.type.getName(), this.reflector);
			}
		}

	}

	/**
	 * Generates the method that registers the bean definitions.
	 */
	private static final class Contribution implements BeanFactoryInitializationAotContribution {

		private static final String BEAN_FACTORY = BeanFactoryInitializationCode.BEAN_FACTORY_VARIABLE;

		private final List<Registration> registrations;

		private final List<Class<?>> applied;

		private Contribution(List<Registration> registrations, List<Class<?>> applied) {
			this.registrations = registrations;
			this.applied = applied;
		}

		@Override
		public void applyTo(GenerationContext context, BeanFactoryInitializationCode code) {
			ReflectorHints hints = new ReflectorHints(context.getRuntimeHints().reflection());
			this.registrations.stream().map(Registration::type).distinct().forEach(hints::registerMirrored);
			// applied types need the same hints as mirrored types
			this.applied.forEach(hints::registerMirrored);
			hints.registerEvents();
			// the class is generated in this package, because it calls package-private
			// methods
			GeneratedClass generatedClass = context.getGeneratedClasses()
				.addForFeatureComponent("ReflectorBeans", ReflectorBeanDefinitions.class,
						(type) -> type.addModifiers(Modifier.PUBLIC, Modifier.FINAL)
							.addJavadoc("Registers the reflectors that were found at build time."));
			GeneratedMethod method = generatedClass.getMethods()
				.add("register", (register) -> generate(register, this.registrations));
			code.addInitializer(method.toMethodReference());
		}

		private static void generate(MethodSpec.Builder method, List<Registration> registrations) {
			method.addJavadoc("Register reflectors, listers and streams.");
			method.addModifiers(Modifier.PUBLIC, Modifier.STATIC);
			method.addParameter(DefaultListableBeanFactory.class, BEAN_FACTORY);
			registrations.forEach((registration) -> registration.addTo(method, BEAN_FACTORY));
		}

	}

}
