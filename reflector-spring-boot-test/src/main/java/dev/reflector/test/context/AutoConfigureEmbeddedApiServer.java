package dev.reflector.test.context;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Starts an {@link dev.reflector.test.EmbeddedApiServer} for the application context of a
 * test, and connects the application to this server instead of the configured one. The
 * server is a bean. It starts before the first reflector and is closed with the context.
 * Test classes that share a context share the server.
 * <p>
 * The server serves every type that the application mirrors. The plural in its URLs is
 * the one that the application declares for the type, or the English plural of the kind
 * if none is declared. The server treats a type as namespaced unless it is a well-known
 * cluster-scoped type. {@link #types()} adds types, or corrects the plural and scope of a
 * mirrored type. A bean of type {@link EmbeddedApiServerBuilderCustomizer} can set
 * options of the server for which this annotation has no attribute.
 * <p>
 * Before each test, the server is {@link dev.reflector.test.EmbeddedApiServer#reset()
 * reset}. When the reflectors have caught up, {@link RecordedEvents} and the requests
 * recorded by the server are cleared. So a test begins with empty mirrors that have
 * synced. Create objects for all tests in a {@code @BeforeEach} method, or switch the
 * reset off with {@link #reset()}.
 * <p>
 * The server is the primary bean of its type. A test may define further servers, for
 * example for the source of another reflector. They are not reset.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@AutoConfigureReflectorProbe
public @interface AutoConfigureEmbeddedApiServer {

	/**
	 * Whether to start a server. With {@code false}, there is no server, even if another
	 * annotation, such as {@link ReflectorTest @ReflectorTest}, would add one.
	 * @return whether to start the server
	 */
	boolean enabled() default true;

	/**
	 * Types to serve in addition to the types that the application mirrors. A type with
	 * the API version and kind of a mirrored type replaces the plural and scope that were
	 * derived for the mirrored type.
	 * @return the types
	 */
	ServedResource[] types() default {};

	/**
	 * How many of the latest changes of each type the server keeps.
	 * @return the number of changes
	 */
	int historyWindow() default 10_000;

	/**
	 * The time between two bookmarks of a watch, as a duration such as {@code 500ms}.
	 * @return the time
	 */
	String bookmarkInterval() default "1m";

	/**
	 * Whether watches may begin with a streamed list.
	 * @return whether lists are streamed
	 */
	boolean watchList() default true;

	/**
	 * Whether the server serves https. The application then trusts the authority of the
	 * server, and verifies the server's certificate.
	 * @return whether connections are encrypted
	 */
	boolean tls() default false;

	/**
	 * Whether server, events and requests are reset before each test.
	 * @return whether to reset
	 */
	boolean reset() default true;

	/**
	 * Whether reflectors use the time of a {@link ManualTimeSource} bean.
	 * @return whether reflectors use a time that the test moves
	 */
	@AliasFor(annotation = AutoConfigureReflectorProbe.class)
	boolean manualTime() default false;

}
