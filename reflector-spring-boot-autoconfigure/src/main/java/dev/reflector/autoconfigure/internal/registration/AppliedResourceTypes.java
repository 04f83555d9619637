package dev.reflector.autoconfigure.internal.registration;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.util.ClassUtils;

/**
 * The types annotated with {@code @AppliedResource} that the scan has found. A bean of
 * this class exists only if the scan has found such a type.
 */
public final class AppliedResourceTypes {

	/** Name of the bean. */
	public static final String BEAN_NAME = "reflectorAppliedResourceTypes";

	private final List<String> names;

	/**
	 * Creates the list of types.
	 * @param names names of the classes
	 */
	public AppliedResourceTypes(List<String> names) {
		this.names = names;
	}

	static void register(BeanDefinitionRegistry registry, List<String> names) {
		registry.registerBeanDefinition(BEAN_NAME,
				BeanDefinitionBuilder.rootBeanDefinition(AppliedResourceTypes.class)
					.addConstructorArgValue(names)
					.setRole(BeanDefinition.ROLE_INFRASTRUCTURE)
					.setLazyInit(true)
					.getBeanDefinition());
	}

	/**
	 * Loads the types.
	 * @param classLoader loads the classes
	 * @return the types, sorted by name
	 */
	public List<Class<?>> load(@Nullable ClassLoader classLoader) {
		return this.names.stream().<Class<?>>map((name) -> ClassUtils.resolveClassName(name, classLoader)).toList();
	}

}
