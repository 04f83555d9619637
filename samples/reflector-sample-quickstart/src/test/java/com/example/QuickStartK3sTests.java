package com.example;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.reflector.test.context.AutoConfigureReflectorProbe;
import dev.reflector.test.context.ReflectorProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The application of the quick start in front of a real API server, where there is Docker
 * to run one.
 */
@SpringBootTest
@AutoConfigureReflectorProbe
@ExtendWith(OutputCaptureExtension.class)
@Testcontainers(disabledWithoutDocker = true)
class QuickStartK3sTests {

	private static final String DEFINITION = """
			apiVersion: apiextensions.k8s.io/v1
			kind: CustomResourceDefinition
			metadata:
			  name: widgets.example.com
			spec:
			  group: example.com
			  scope: Namespaced
			  names: {kind: Widget, plural: widgets, singular: widget}
			  versions:
			  - name: v1
			    served: true
			    storage: true
			    schema:
			      openAPIV3Schema:
			        type: object
			        properties:
			          spec:
			            type: object
			            properties:
			              size: {type: integer}
			""";

	private static final String WIDGET = """
			apiVersion: example.com/v1
			kind: Widget
			metadata: {name: widget-1, namespace: default}
			spec: {size: 17}
			""";

	// K3s applies the files in this folder
	@Container
	@ServiceConnection
	static final K3sContainer k3s = new K3sContainer(DockerImageName.parse("rancher/k3s:v1.34.1-k3s1"))
		.withCopyToContainer(Transferable.of(DEFINITION), "/var/lib/rancher/k3s/server/manifests/widgets.yaml");

	@Test
	void printsAWidgetOfTheCluster(@Autowired ReflectorProbe probe, CapturedOutput output) throws Exception {
		// K3s applies the definition when it gets round to it
		probe.within(Duration.ofMinutes(2)).awaitSynced();
		k3s.copyFileToContainer(Transferable.of(WIDGET), "/tmp/widget.yaml");
		ExecResult applied = k3s.execInContainer("kubectl", "apply", "-f", "/tmp/widget.yaml");
		assertThat(applied.getExitCode()).as(applied.getStderr()).isZero();
		await().atMost(60, TimeUnit.SECONDS)
			.untilAsserted(() -> assertThat(output)
				.containsPattern("ResourceAddedEvent\\[widgets default/widget-1 @ \\d+] has size 17"));
	}

}
