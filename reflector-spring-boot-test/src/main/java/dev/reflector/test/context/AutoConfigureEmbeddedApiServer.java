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
 * test and points the application at it, whatever it is configured to connect to. The
 * server is a bean, starts before the first reflector and is closed with the context.
 * Test classes that share a context share the server.
 * <p>
 * The server serves every type that the application mirrors: under its declared plural,
 * else under that of English spelling; in namespaces, except for the well-known types
 * that live outside of them. {@link #types()} adds further types or corrects these. A
 * bean {@link EmbeddedApiServerBuilderCustomizer} sets what there is no attribute for.
 * <p>
 * Before each test the server is {@link dev.reflector.test.EmbeddedApiServer#reset()
 * reset}, and once the reflectors have followed, {@link RecordedEvents} and the requests
 * recorded by the server are cleared: a test begins with empty mirrors that have synced.
 * Objects for all tests belong in a {@code @BeforeEach} method, or set {@link #reset()}.
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
	 * Whether there is a server. {@code false} takes it away again where another
	 * annotation brings it, such as {@link ReflectorTest @ReflectorTest}.
	 * @return whether to start the server
	 */
	boolean enabled() default true;

	/**
	 * Types to serve besides those that the application mirrors. One with API version and
	 * kind of a mirrored type replaces what is derived for that type.
	 * @return the types
	 */
	ServedResource[] types() default {};

	/**
	 * How many of the latest changes of each type the server remembers.
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
	 * Whether the server serves https. The application is then given the authority of the
	 * server to trust, and verifies its certificate.
	 * @return whether connections are encrypted
	 */
	boolean tls() default false;

	/**
	 * Whether server, events and requests are reset before each test.
	 * @return whether to reset
	 */
	boolean reset() default true;

	/**
	 * Whether reflectors take their time from a {@link ManualTimeSource}.
	 * @return whether time is moved by hand
	 */
	@AliasFor(annotation = AutoConfigureReflectorProbe.class)
	boolean manualTime() default false;

}
