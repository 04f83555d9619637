package dev.reflector.sample.console;

import java.io.PrintStream;

import dev.reflector.autoconfigure.registration.RbacManifest;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
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
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Permissions.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("logging.level.root=error")
			.run(args)) {
			out.print(context.getBean(RbacManifest.class).yaml());
		}
		// end::print-rbac[]
	}

	/**
	 * A configuration that declares only the mirrored types. It is not annotated with
	 * {@code @Configuration}, so that the component scan of the console does not find it.
	 */
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	static class Permissions {

		@Bean
		ReflectorConnectionDetails noServer() {
			return () -> null;
		}

	}

}
