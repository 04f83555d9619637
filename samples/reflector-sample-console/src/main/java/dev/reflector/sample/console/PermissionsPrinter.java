package dev.reflector.sample.console;

import java.io.PrintStream;
import java.util.stream.Stream;

import dev.reflector.autoconfigure.registration.RbacManifest;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

/**
 * Prints the permissions that the console needs in a cluster, without a connection to a
 * cluster. The output can be piped into {@code kubectl apply -f -}.
 */
final class PermissionsPrinter {

	private PermissionsPrinter() {
	}

	static void print(PrintStream out, String... args) {
		// tag::print-rbac[]
		try {
			new SpringApplicationBuilder(Permissions.class).web(WebApplicationType.NONE)
				.bannerMode(Banner.Mode.OFF)
				.properties("logging.level.root=error")
				.initializers((context) -> context.getBeanFactory().registerSingleton("out", out))
				.run(args);
		}
		catch (SpringApplication.AbandonedRunException ex) {
			// the manifest is printed, and nothing has started
		}
		// end::print-rbac[]
	}

	/**
	 * A configuration that declares only the mirrored types, and creates nothing but what
	 * the printer needs. It is not annotated with {@code @Configuration}, so that the
	 * component scan of the console does not find it.
	 */
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	static class Permissions {

		@Bean
		static BeanFactoryPostProcessor nothingButThePrinter() {
			return (beans) -> Stream.of(beans.getBeanDefinitionNames())
				.forEach((name) -> beans.getBeanDefinition(name).setLazyInit(!name.equals("printer")));
		}

		@Bean
		SmartInitializingSingleton printer(PrintStream out, ObjectProvider<RbacManifest> manifest) {
			return () -> {
				out.print(manifest.getObject().yaml());
				throw new SpringApplication.AbandonedRunException();
			};
		}

	}

}
