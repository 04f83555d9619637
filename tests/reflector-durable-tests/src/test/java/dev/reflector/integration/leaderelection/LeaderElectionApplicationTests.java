package dev.reflector.integration.leaderelection;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.reflector.event.LeaderElectionEvent;
import dev.reflector.event.NewLeaderEvent;
import dev.reflector.event.StartedLeadingEvent;
import dev.reflector.event.StoppedLeadingEvent;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two applications without reflectors that elect a leader by properties. No annotated
 * type is in this package.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaderElectionApplicationTests {

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("coordination.k8s.io/v1", "Lease", "leases", true)
		.start();

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	@AfterEach
	void close() {
		this.contexts.forEach(ConfigurableApplicationContext::close);
		this.server.close();
	}

	@Test
	void theNextLeaderHearsOfItsTermAsSoonAsTheFirstOneHasStopped(CapturedOutput output) {
		ConfigurableApplicationContext first = application();
		LeaderElector elector = first.getBean(LeaderElector.class);
		await().until(elector::isLeader);
		ConfigurableApplicationContext second = application();
		LeaderElector next = second.getBean(LeaderElector.class);
		await().until(() -> next.leader().equals(elector.identity()));
		first.getBean(Invoices.class).send();
		second.getBean(Invoices.class).send();
		List<LeaderElectionEvent> heard = first.getBean(Application.class).heard;
		List<String> roles = first.getBean(Application.class).roles;
		first.close();
		assertThat(output).containsOnlyOnce("leads with epoch 0")
			.containsOnlyOnce("sends invoices in epoch 0")
			.containsOnlyOnce("no longer leads, epoch 0");
		assertThat(heard).hasExactlyElementsOfTypes(NewLeaderEvent.class, StartedLeadingEvent.class,
				StoppedLeadingEvent.class);
		assertThat(heard).allSatisfy((event) -> {
			assertThat(event.identity()).isEqualTo(elector.identity());
			assertThat(event.lease()).isEqualTo("apps/my-shop");
		});
		assertThat(((StartedLeadingEvent) heard.get(1)).epoch()).isZero();
		assertThat(roles).as("events of Spring Integration")
			.containsExactly("granted my-shop true", "revoked my-shop false");
		await().until(next::isLeader);
		await().untilAsserted(() -> assertThat(second.getBean(Application.class).heard)
			.hasExactlyElementsOfTypes(NewLeaderEvent.class, NewLeaderEvent.class, StartedLeadingEvent.class));
	}

	@Test
	@LongFormOnly
	void theProcessEndsWhenTheLeadIsLostAndNotWhenTheApplicationIsClosed(CapturedOutput output) {
		ConfigurableApplicationContext closed = application();
		await().until(closed.getBean(LeaderElector.class)::isLeader);
		Ending end = closed.getBean(Ending.class);
		closed.close();
		assertThat(end.ended).isFalse();
		ConfigurableApplicationContext loser = application();
		await().until(loser.getBean(LeaderElector.class)::isLeader);
		Invoices invoices = loser.getBean(Invoices.class);
		invoices.send();
		this.server.resources("leases")
			.mergePatch("apps", "my-shop", "{\"spec\":{\"holderIdentity\":\"another\",\"leaseDurationSeconds\":1,"
					+ "\"leaseTransitions\":5}}");
		await().untilTrue(loser.getBean(Ending.class).ended);
		// as long as the process is there, it is a replica that may lead again
		await().until(() -> loser.getBean(LeaderElector.class).epoch().orElse(0) == 6);
		invoices.send();
		await().until(() -> output.getOut().contains("leads with epoch 6"));
		assertThat(output.getOut().lines().filter((line) -> line.startsWith("sends invoices")))
			.containsExactly("sends invoices in epoch 1", "sends invoices in epoch 6");
	}

	private ConfigurableApplicationContext application() {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.run("--spring.application.name=My Shop", "--spring.main.banner-mode=off",
					// event loops of Reactor Netty are shared by all contexts of a
					// process
					"--spring.http.clients.reactive.connector=jdk", "--reflector.api-server.url=" + this.server.url(),
					"--reflector.leader-election.enabled=true", "--reflector.leader-election.namespace=apps",
					// too long to expire in a test
					"--reflector.leader-election.lease-duration=600s",
					"--reflector.leader-election.renew-deadline=400s", "--reflector.leader-election.retry-period=100ms",
					"--reflector.leader-election.release-on-cancel=true");
		this.contexts.add(context);
		return context;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Invoices.class, Ending.class })
	static class Application {

		private final List<LeaderElectionEvent> heard = new CopyOnWriteArrayList<>();

		private final List<String> roles = new CopyOnWriteArrayList<>();

		@EventListener
		void on(LeaderElectionEvent event) {
			this.heard.add(event);
		}

		@EventListener
		void on(OnGrantedEvent event) {
			this.roles.add("granted " + event.getRole() + " " + event.getContext().isLeader());
		}

		@EventListener
		void on(OnRevokedEvent event) {
			this.roles.add("revoked " + event.getRole() + " " + event.getContext().isLeader());
		}

	}

	/** As in the guide. */
	@Component
	static class EndWithTheLead {

		private volatile boolean closing;

		@EventListener(ContextClosedEvent.class)
		void close() {
			this.closing = true;
		}

		@EventListener(StoppedLeadingEvent.class)
		void stopped() {
			if (!this.closing) {
				end();
			}
		}

		void end() {
			// unlike System.exit, does not wait for the running step
			Runtime.getRuntime().halt(1);
		}

	}

	/** Notes the end instead. */
	static class Ending extends EndWithTheLead {

		private final AtomicBoolean ended = new AtomicBoolean();

		@Override
		void end() {
			this.ended.set(true);
		}

	}

	/** As in the guide. */
	@Component
	static class Invoices {

		private final LeaderElector elector;

		Invoices(LeaderElector elector) {
			this.elector = elector;
		}

		@Scheduled(fixedDelay = 60_000)
		void send() {
			// only in the leader; pass the epoch to a store that can refuse an old one
			this.elector.epoch().ifPresent((epoch) -> System.out.println("sends invoices in epoch " + epoch));
		}

		@EventListener
		void prepare(StartedLeadingEvent event) {
			System.out.println("leads with epoch " + event.epoch());
		}

		@EventListener
		void finish(StoppedLeadingEvent event) {
			System.out.println("no longer leads, epoch " + event.epoch());
		}

	}

}
