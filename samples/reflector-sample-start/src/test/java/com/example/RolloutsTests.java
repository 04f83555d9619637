package com.example;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.context.ReflectorProbe;
import dev.reflector.test.context.ReflectorTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

@ReflectorTest
@Import(Rollouts.class)
class RolloutsTests {

	@Test
	void knowsWhichRolloutsAreNotFinished(@Autowired EmbeddedApiServer server, @Autowired ReflectorProbe probe,
			@Autowired Rollouts rollouts) {
		ResourceCollection deployments = server.resources("deployments");
		deployments.create("""
				{"metadata": {"name": "web"}, "spec": {"replicas": 3}}
				""");
		probe.awaitCaughtUp();
		assertThat(rollouts.unfinished()).containsExactly("default/web");
		deployments.mergePatch("default", "web", """
				{"status": {"readyReplicas": 3}}
				""");
		probe.awaitCaughtUp();
		assertThat(rollouts.unfinished()).isEmpty();
	}

}
