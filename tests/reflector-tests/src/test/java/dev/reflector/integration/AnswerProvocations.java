package dev.reflector.integration;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.ReflectorStatus.LastError;
import dev.reflector.test.Backup;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.EventFault;
import dev.reflector.test.Fault;
import dev.reflector.test.ListFault;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.context.ManualTimeSource;

import static org.awaitility.Awaitility.await;

/**
 * Faults of the server's answers.
 */
final class AnswerProvocations {

	private static final int ALWAYS = Integer.MAX_VALUE;

	private AnswerProvocations() {
	}

	static void addTo(Map<String, FaultProvocation> provocations) {
		provocations.put("the server has forgotten the version", (stage) -> {
			stage.startInStep();
			stage.server.fail(RecordedRequest::isWatch, 1, Fault.status(410));
			stage.server.closeWatches();
		});
		provocations.put("a permission is missing", (stage) -> {
			stage.server.fail(RecordedRequest::isList, ALWAYS, Fault.status(403));
			stage.start("reflector.backoff.initial=100ms", "reflector.backoff.max=1s");
		});
		provocations.put("the server forbids everything for a moment after a restart", (stage) -> {
			AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
			stage.serve(EmbeddedApiServer.builder()
				.type("example.com/v1", "Widget", "widgets", true)
				.clock(now::get)
				.forbiddenAfterRestart(Duration.ofSeconds(3))
				.start());
			stage.startInStep();
			stage.server.stop();
			stage.server.start();
			await().until(() -> {
				LastError error = stage.application.reflector.status().lastError();
				return error != null && error.status() == 403;
			});
			now.set(now.get().plusSeconds(3));
		});
		provocations.put("the server does not serve the type", (stage) -> {
			stage.serve(EmbeddedApiServer.builder().type("apps/v1", "Deployment", "deployments", true).start());
			stage.start();
		});
		provocations.put("the server serves the type in another version", (stage) -> {
			stage.serve(EmbeddedApiServer.builder().type("example.com/v1beta1", "Widget", "widgets", true).start());
			stage.start();
		});
		provocations.put("namespaces are named for a cluster-scoped type", (stage) -> {
			stage.serve(EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", false).start());
			stage.start("reflector.resources.widgets.namespaces=shop");
		});
		provocations.put("another server answers at the address",
				(stage) -> stage.startAt(stage.server.url() + "/elsewhere"));
		provocations.put("API discovery is not allowed", (stage) -> {
			stage.server.fail((request) -> request.path().matches("/apis?(/.+/v1)?"), ALWAYS, Fault.status(403));
			stage.start();
		});
		provocations.put("watches are closed at once", (stage) -> {
			stage.server.fail(RecordedRequest::isWatch, ALWAYS, Fault.emptyWatch());
			stage.start("reflector.backoff.max=1s");
		});
		provocations.put("an object does not fit the type", (stage) -> {
			stage.server.fail(RecordedRequest::isWatch, 1, EventFault.objectThatDoesNotFit().atEvent(1));
			// bookmarks count as events
			stage.startInStep("reflector.watch.bookmarks=false");
			stage.create("b");
		});
		provocations.put("no object of the list fits the type", (stage) -> {
			stage.serve(EmbeddedApiServer.builder().type("example.com/v1", "Widget", "widgets", true).start());
			stage.widgets().create(Map.of("metadata", Map.of("name", "a"), "spec", Map.of("size", "red")));
			stage.start();
		});
		provocations.put("the server cannot watch the type", (stage) -> {
			stage.server.fail(RecordedRequest::isWatch, ALWAYS, Fault.status(405));
			stage.start();
		});
		provocations.put("the server sends a warning", (stage) -> {
			stage.server.fail(RecordedRequest::isWatch, 1,
					Fault.slow(Duration.ZERO).withHeader("Warning", "299 - \"widgets v1 goes away\""));
			stage.start();
		});
		provocations.put("something between answers in place of the server", (stage) -> {
			stage.server.fail(RecordedRequest::isList, ALWAYS, Fault.response(200, "text/html", "<html>log in</html>"));
			stage.start("reflector.backoff.max=1s");
		});
		provocations.put("an event of a watch is broken", (stage) -> {
			stage.server.fail(RecordedRequest::isWatch, 1,
					EventFault.preceded("{\"type\":\"ADDED\",\"object\":{{{\n").atEvent(1));
			stage.startInStep("reflector.watch.bookmarks=false");
			stage.create("b");
		});
		provocations.put("an event of a watch does not come to its end", (stage) -> {
			stage.server.fail(RecordedRequest::isWatch, 1, Fault.drip(5).atEvent(1));
			stage.startInStep("reflector.watch.bookmarks=false", "reflector.api-server.event-timeout=1s");
			stage.create("b");
		});
		provocations.put("the answer to a list is something else", (stage) -> {
			stage.server.fail(RecordedRequest::isList, ALWAYS, ListFault.anotherKind("v1", "PodList", true));
			stage.start("reflector.backoff.max=1s");
		});
		provocations.put("the pages of a list have no end", (stage) -> {
			stage.server.fail(RecordedRequest::isList, ALWAYS, ListFault.repeatedToken());
			stage.start("reflector.backoff.max=1s");
		});
		provocations.put("more objects come than the mirror may hold", (stage) -> {
			stage.startInStep("reflector.resources.widgets.max-objects=1");
			stage.create("b");
		});
		provocations.put("more bytes come than the mirror may hold",
				(stage) -> stage.start("reflector.resources.widgets.max-size=10B"));
		provocations.put("the server redirects", (stage) -> {
			stage.server.fail(RecordedRequest::isList, ALWAYS,
					Fault.response(302, "text/html", "").withHeader("Location", "https://login.example.com/?next=1"));
			stage.start("reflector.backoff.max=1s");
		});
		provocations.put("the server throttles", (stage) -> {
			stage.server.fail(RecordedRequest::isList, ALWAYS,
					Fault.plainText(429).withHeader("X-Kubernetes-PF-FlowSchema-UID", "fs-1"));
			stage.start("reflector.backoff.max=1s");
		});
		provocations.put("the answer to a list comes too slowly", (stage) -> {
			ManualTimeSource time = new ManualTimeSource();
			stage.server.fail(RecordedRequest::isList, ALWAYS, Fault.drip(1));
			stage.startIn(time);
			await().atMost(Duration.ofMinutes(1)).until(() -> {
				time.advance(Duration.ofSeconds(10));
				return stage.hasLogged(" bytes have been received. Trying again");
			});
		});
		provocations.put("a streamed list has no end", (stage) -> {
			ManualTimeSource time = new ManualTimeSource();
			stage.server.fail((request) -> request.isWatch() && request.parameter("sendInitialEvents") != null, ALWAYS,
					Fault.silence().atEvent(1));
			stage.startIn(time, "reflector.watch.initial-list=auto");
			await().until(() -> stage.application.reflector.status().contact().connected());
			await().until(() -> {
				if (!stage.hasLogged("Plain lists are used instead")) {
					// the list that follows has a separate timeout
					time.advance(Duration.ofSeconds(10));
				}
				return stage.application.reflector.hasSynced();
			});
		});
		provocations.put("the server was restored from a backup", (stage) -> {
			stage.startInStep();
			Backup backup = stage.server.backup();
			stage.create("b");
			stage.awaitInStep();
			stage.server.stop();
			// otherwise the server could be back before the reflector has noticed that it
			// was down
			await().until(() -> stage.application.reflector.status().lastError() != null);
			stage.server.restore(backup);
			stage.server.start();
		});
		provocations.put("the server was restored, and its versions have passed those of the mirror", (stage) -> {
			stage.startInStep("reflector.verify-period=1s");
			Backup backup = stage.server.backup();
			stage.create("b");
			stage.awaitInStep();
			stage.server.stop();
			stage.server.restore(backup);
			stage.create("c");
			stage.create("d");
			stage.server.start();
		});
		provocations.put("the mirror differs from the server", (stage) -> {
			stage.startInStep();
			// the list for the comparison lacks an object
			stage.server.fail(RecordedRequest::isList, 1, Fault.response(200, "application/json", """
					{"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1",
					 "metadata": {"resourceVersion": "2"}, "items": []}"""));
			stage.application.reflector.verify().toCompletableFuture().get(30, TimeUnit.SECONDS);
		});
	}

}
