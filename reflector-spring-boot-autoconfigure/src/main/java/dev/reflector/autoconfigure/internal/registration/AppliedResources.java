package dev.reflector.autoconfigure.internal.registration;

import java.util.List;
import java.util.stream.Collectors;

import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.registration.RbacManifest;
import dev.reflector.client.internal.write.AppliedDeclaration;
import dev.reflector.write.WriteMode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.env.Environment;

/**
 * The declarations of the types that the application applies. Checks the declarations at
 * the start, and adds the permissions for writing these types to the RBAC manifest.
 */
public final class AppliedResources implements SmartInitializingSingleton, RoleOfWrites {

	private static final Logger logger = LoggerFactory.getLogger(AppliedResources.class);

	/** Name of an application without {@code spring.application.name}. */
	private static final String NAMELESS = "application";

	private final List<Class<?>> types;

	private final Environment environment;

	private final WriteMode mode;

	/**
	 * Creates the declarations.
	 * @param types the types that the scan has found, or {@code null} if it has found
	 * none
	 * @param classLoader loads the types
	 * @param environment supplies the name of the application, and resolves placeholders
	 * @param mode whether writes take effect
	 */
	public AppliedResources(@Nullable AppliedResourceTypes types, @Nullable ClassLoader classLoader,
			Environment environment, WriteMode mode) {
		this.types = (types != null) ? types.load(classLoader) : List.of();
		this.environment = environment;
		this.mode = mode;
	}

	/**
	 * Returns the name of the application, with which the names of the field managers
	 * begin.
	 * @param environment supplies the name of the application
	 * @return the name of the application, or {@code application} if it has none
	 */
	static String application(Environment environment) {
		String name = environment.getProperty("spring.application.name", "");
		return name.isEmpty() ? NAMELESS : name;
	}

	private List<AppliedDeclaration> declarations() {
		return this.types.stream()
			.map((type) -> AppliedDeclaration.of(type, application(this.environment),
					this.environment::resolveRequiredPlaceholders))
			.toList();
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<AppliedDeclaration> declarations = declarations();
		AppliedDeclaration.check(declarations);
		String nameless = declarations.stream()
			.map(AppliedDeclaration::manager)
			.filter((manager) -> manager.startsWith(NAMELESS + "/"))
			.collect(Collectors.joining("', '"));
		if (!nameless.isEmpty() && application(this.environment).equals(NAMELESS)) {
			logger.warn(
					"The application has no name, so another one may also write as '{}', and then each removes the "
							+ "fields of the other. Set 'spring.application.name', or 'manager' of @AppliedResource",
					nameless);
		}
	}

	@Override
	public RbacManifest addTo(RbacManifest manifest) {
		List<AppliedDeclaration> declarations = declarations();
		return manifest.withWrites(resources(declarations, false), resources(declarations, true),
				this.mode == WriteMode.DRY_RUN);
	}

	private static List<ResourceType> resources(List<AppliedDeclaration> declarations, boolean status) {
		return declarations.stream()
			.filter((declaration) -> declaration.status() == status)
			.map(AppliedDeclaration::resource)
			.distinct()
			.toList();
	}

}
