package dev.reflector.sample.console;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@code --print-rbac}.
 */
@ExtendWith(OutputCaptureExtension.class)
class PermissionsPrinterTests {

	@Test
	void printsNothingButTheManifest(CapturedOutput output) {
		ConsoleApplication.main(new String[] { "--print-rbac", "--spring.application.name=shop",
				"--reflector.resources.deployments.namespaces=production" });
		assertThat(output.getOut()).isEqualTo("""
				# bind it with: kubectl create clusterrolebinding shop-reflectors --clusterrole=shop-reflectors \
				--serviceaccount=NAMESPACE:NAME
				apiVersion: rbac.authorization.k8s.io/v1
				kind: ClusterRole
				metadata:
				  name: "shop-reflectors"
				rules:
				- apiGroups: ["example.com"]
				  resources: ["widgets"]
				  verbs: ["list", "watch"]
				---
				# bind it with: kubectl create rolebinding shop-reflectors --namespace=production \
				--role=shop-reflectors --serviceaccount=NAMESPACE:NAME
				apiVersion: rbac.authorization.k8s.io/v1
				kind: Role
				metadata:
				  name: "shop-reflectors"
				  namespace: "production"
				rules:
				- apiGroups: ["apps"]
				  resources: ["deployments"]
				  verbs: ["list", "watch"]
				""");
	}

	/** On a machine that has neither a server nor the name of a pod. */
	@ParameterizedTest
	@CsvSource({ "reflector.leader-election.enabled=true, shop-reflectors-leader-election",
			"reflector.sharding.enabled=true, shop-reflectors-shards",
			"reflector.api-server.required=true, shop-reflectors" })
	void nothingIsNeededButTheProperties(String property, String role, CapturedOutput output) {
		ConsoleApplication.main(new String[] { "--print-rbac", "--spring.application.name=shop", "--" + property });
		assertThat(output.getOut()).startsWith("# bind it with: ").contains("name: \"" + role + "\"\n");
	}

}
