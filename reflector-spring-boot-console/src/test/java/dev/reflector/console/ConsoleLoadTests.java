package dev.reflector.console;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.example.console.ConsoleTestApplication;
import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.Fault;
import dev.reflector.test.RecordedRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that many users of the console and a busy application do not disturb each other
 * or the reflectors.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConsoleLoadTests {

	private static final int ORDERS = 40;

	/** The core threads of the application's executor, which Spring Boot creates. */
	private static final int CORE_THREADS = 8;

	@ParameterizedTest
	@LongFormOnly
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void ordersThatWaitHoldUpNoReflector(WebApplicationType web) {
		List<CompletableFuture<HttpResponse<String>>> orders = new ArrayList<>();
		try (RunningConsole console = RunningConsole.start(web, "--reflector.console.write-operations=true")) {
			await().until(() -> console.server.activeWatches() == 2);
			console.server.clearRequests();
			console.server.fail(RecordedRequest::isList, ORDERS, Fault.silence());
			for (int i = 0; i < ORDERS; i++) {
				orders.add(console.client.sendAsync(console.request("/reflectors/api/reflectors/widgets/verify")
					.header("X-Reflector-Console", "1")
					.POST(HttpRequest.BodyPublishers.noBody())
					.build(), BodyHandlers.ofString()));
			}
			await().until(() -> !console.server.requests(RecordedRequest::isList).isEmpty());
			// every order has been taken when this one, which is sent later, is answered
			assertThat(console.post("/reflectors/api/reflectors/widgets/resync").statusCode()).isEqualTo(200);
			console.server.closeWatches();
			await().until(() -> console.server.requests(RecordedRequest::isWatch).size() == 2);
			assertThat(orders).noneMatch(CompletableFuture::isDone);
			assertThat(console.server.requests(RecordedRequest::isList)).as("one comparison for all").hasSize(1);
		}
		finally {
			orders.forEach((order) -> order.cancel(true));
		}
	}

	@ParameterizedTest
	@LongFormOnly
	@MethodSource("webApplicationTypes")
	void anApplicationThatBlocksTheSharedThreadsHoldsUpNeitherConsoleNorReflectors(WebApplicationType web)
			throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		try (RunningConsole console = RunningConsole.start(web, "--reflector.console.write-operations=true")) {
			await().until(() -> console.server.activeWatches() == 2);
			block(end);
			console.server.clearRequests();
			console.server.closeWatches();
			await().until(() -> console.server.requests(RecordedRequest::isWatch).size() == 2);
			for (String path : List.of("/", "/assets/console.js", "/api/reflectors",
					"/api/reflectors/widgets/objects")) {
				assertThat(console.get("/reflectors" + path).statusCode()).as(path).isEqualTo(200);
			}
			assertThat(console.post("/reflectors/api/reflectors/secrets/verify").body())
				.contains("the mirror equals the server");
		}
		finally {
			end.countDown();
		}
	}

	/** Both with {@code -Dtests.full=true}. */
	static Stream<WebApplicationType> webApplicationTypes() {
		return Stream.of(WebApplicationType.SERVLET, WebApplicationType.REACTIVE).limit(LongForm.atMost(1));
	}

	private static void block(CountDownLatch end) throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE);
		for (int i = 0; i < 2 * Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE; i++) {
			Schedulers.boundedElastic().schedule(() -> {
				begun.countDown();
				try {
					end.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			});
		}
		begun.await();
	}

	@Test
	@LongFormOnly
	void readersThatDoNotReadHoldNoThreadOfTheApplication() throws Exception {
		List<Socket> readers = new ArrayList<>();
		try (RunningConsole console = RunningConsole.start(
				List.of(ConsoleTestApplication.class, SmallSendBuffers.class), WebApplicationType.SERVLET,
				(server) -> server, "--server.tomcat.connection-timeout=150s")) {
			for (int i = 0; i < CORE_THREADS; i++) {
				readers.add(deaf(console));
			}
			int[] changes = { 0 };
			await().until(() -> {
				for (int i = 0; i < 10; i++) {
					console.widget("deaf", "w" + changes[0]++, 1);
				}
				return writing() >= CORE_THREADS;
			});
			AsyncTaskExecutor executor = console.context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
			assertThat(executor.submit(() -> "done").get(60, TimeUnit.SECONDS)).isEqualTo("done");
			assertThat(writing()).isEqualTo(CORE_THREADS);
			// and others are served
			assertThat(console.json("/reflectors/api/reflectors").path("reflectors")).hasSize(2);
			close(readers);
		}
		finally {
			close(readers);
		}
	}

	private static void close(List<Socket> readers) throws IOException {
		for (Socket reader : readers) {
			reader.close();
		}
	}

	private static Socket deaf(RunningConsole console) throws IOException {
		Socket socket = new Socket();
		socket.setReceiveBufferSize(1024);
		socket.connect(new InetSocketAddress("127.0.0.1", console.uri("/").getPort()));
		socket.getOutputStream()
			.write("GET /reflectors/api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
				.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	/** Returns how many threads wait to write to a stream. */
	private static long writing() {
		return Thread.getAllStackTraces()
			.values()
			.stream()
			.filter((stack) -> Arrays.stream(stack)
				.anyMatch((frame) -> frame.getClassName().equals(ResponseBodyEmitter.class.getName())
						&& frame.getMethodName().equals("send")))
			.filter((stack) -> stack.length > 0 && !stack[0].getClassName().startsWith("dev.reflector"))
			.filter((stack) -> Arrays.stream(stack).anyMatch((frame) -> frame.getMethodName().equals("doWrite")))
			.count();
	}

	/** A little is enough to fill them. */
	@Configuration(proxyBeanMethods = false)
	static class SmallSendBuffers {

		@Bean
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> small() {
			return (factory) -> factory.addConnectorCustomizers((connector) -> {
				connector.setProperty("socket.txBufSize", "1024");
				connector.setProperty("socket.appWriteBufSize", "1024");
			});
		}

	}

}
