package dev.reflector.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Supplier;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.autoconfigure.fixture.ReflectorThreads;
import dev.reflector.autoconfigure.fixture.restarted.RestartedApplication;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests an application that restarts as with the developer tools: its own classes are
 * loaded again each time, but not those of libraries.
 */
class RestartTests {

	private final ReflectorThreads threads = new ReflectorThreads();

	@Test
	void eachStartMirrorsTheTypesOfItsClassLoader() throws Exception {
		Reflector<?> former = null;
		Object formerGadget = null;
		for (int i = 0; i < 3; i++) {
			RestartLoader loader = new RestartLoader();
			try (ConfigurableApplicationContext context = start(loader)) {
				Reflector<?> reflector = context.getBean("gadgetReflector", Reflector.class);
				assertThat(reflector).isNotSameAs(former);
				List<Object> heard = heard(context);
				await().until(() -> heard.size() == 1);
				assertThat(heard.get(0).getClass().getClassLoader()).isSameAs(loader);
				assertThat(heard.get(0)).isNotEqualTo(formerGadget);
				former = reflector;
				formerGadget = heard.get(0);
			}
			assertThat(former.state()).isEqualTo(ReflectorState.STOPPED);
			await().untilAsserted(() -> assertThat(this.threads.started()).isEmpty());
		}
	}

	@SuppressWarnings("unchecked")
	private static List<Object> heard(ConfigurableApplicationContext context) {
		return ((Supplier<List<Object>>) context.getBean("restartedApplication")).get();
	}

	private static ConfigurableApplicationContext start(ClassLoader loader) throws ClassNotFoundException {
		Thread thread = Thread.currentThread();
		ClassLoader former = thread.getContextClassLoader();
		thread.setContextClassLoader(loader);
		try {
			Class<?> source = loader.loadClass(RestartedApplication.class.getName());
			assertThat(source).isNotSameAs(RestartedApplication.class);
			SpringApplication application = new SpringApplication(new DefaultResourceLoader(loader), source);
			application.setWebApplicationType(WebApplicationType.NONE);
			application.setRegisterShutdownHook(false);
			return application.run("--KUBECONFIG=", "--user.home=/nonexistent", "--KUBERNETES_SERVICE_HOST=");
		}
		finally {
			thread.setContextClassLoader(former);
		}
	}

	/** Loads the classes of the application itself. */
	private static final class RestartLoader extends ClassLoader {

		private static final String PREFIX = RestartedApplication.class.getPackageName() + ".";

		private RestartLoader() {
			super(RestartTests.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			synchronized (getClassLoadingLock(name)) {
				if (!name.startsWith(PREFIX)) {
					return super.loadClass(name, resolve);
				}
				Class<?> loaded = findLoadedClass(name);
				return (loaded != null) ? loaded : findClass(name);
			}
		}

		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			try (InputStream stream = getResourceAsStream(name.replace('.', '/') + ".class")) {
				if (stream == null) {
					throw new ClassNotFoundException(name);
				}
				byte[] bytes = stream.readAllBytes();
				return defineClass(name, bytes, 0, bytes.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

}
