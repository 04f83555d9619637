package dev.reflector.test.context;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Test slice with only the reflectors of an application and their listeners. The context
 * has a reflector and a lister for each mirrored type, and an embedded API server that
 * the reflectors follow. It has no web server, no data source, and only the components of
 * the application that are {@link #includeFilters() included} or imported.
 * <p>
 * To test the whole application, use {@code @SpringBootTest} with
 * {@link AutoConfigureEmbeddedApiServer @AutoConfigureEmbeddedApiServer} instead.
 *
 * <pre class="code">
 * &#064;ReflectorTest
 * class DeploymentTests {
 *
 *     &#064;Autowired
 *     EmbeddedApiServer server;
 *
 *     &#064;Autowired
 *     ReflectorProbe probe;
 *
 *     &#064;Autowired
 *     Lister&lt;Deployment&gt; deployments;
 *
 *     &#064;Test
 *     void isMirrored() {
 *         this.server.resources("deployments").create("""
 *                 {"metadata": {"name": "web", "labels": {"app": "web"}}, "spec": {"replicas": 3}}
 *                 """);
 *         this.probe.awaitCaughtUp();
 *         assertThat(this.deployments.size()).isEqualTo(1);
 *     }
 *
 * }
 * </pre>
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(ReflectorTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(ReflectorTypeExcludeFilter.class)
@AutoConfigureReflectors
@AutoConfigureEmbeddedApiServer
@ImportAutoConfiguration
public @interface ReflectorTest {

	/**
	 * Properties of the environment, in the form {@code key=value}.
	 * @return the properties
	 */
	String[] properties() default {};

	/**
	 * Types to serve in addition to the types that the application mirrors.
	 * @return the types
	 */
	@AliasFor(annotation = AutoConfigureEmbeddedApiServer.class)
	ServedResource[] types() default {};

	/**
	 * How many of the latest changes of each type the server keeps.
	 * @return the number of changes
	 */
	@AliasFor(annotation = AutoConfigureEmbeddedApiServer.class)
	int historyWindow() default 10_000;

	/**
	 * The time between two bookmarks of a watch, as a duration such as {@code 500ms}.
	 * @return the time
	 */
	@AliasFor(annotation = AutoConfigureEmbeddedApiServer.class)
	String bookmarkInterval() default "1m";

	/**
	 * Whether watches may begin with a streamed list.
	 * @return whether lists are streamed
	 */
	@AliasFor(annotation = AutoConfigureEmbeddedApiServer.class)
	boolean watchList() default true;

	/**
	 * Whether the server is reset before each test.
	 * @return whether it is reset
	 */
	@AliasFor(annotation = AutoConfigureEmbeddedApiServer.class)
	boolean reset() default true;

	/**
	 * Whether the server serves https. The application then trusts the authority of the
	 * server, and verifies the server's certificate.
	 * @return whether connections are encrypted
	 */
	@AliasFor(annotation = AutoConfigureEmbeddedApiServer.class)
	boolean tls() default false;

	/**
	 * Whether reflectors use the time of a {@link ManualTimeSource} bean.
	 * @return whether reflectors use a time that the test moves
	 */
	@AliasFor(annotation = AutoConfigureEmbeddedApiServer.class)
	boolean manualTime() default false;

	/**
	 * Whether to use the default filters of the slice, which leave out all components.
	 * @return whether to use them
	 */
	boolean useDefaultFilters() default true;

	/**
	 * Components to add to the slice.
	 * @return the filters
	 */
	Filter[] includeFilters() default {};

	/**
	 * Components to leave out of the slice, even if another filter includes them.
	 * @return the filters
	 */
	Filter[] excludeFilters() default {};

	/**
	 * Auto-configurations to leave out.
	 * @return the auto-configurations
	 */
	@AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
	Class<?>[] excludeAutoConfiguration() default {};

}
