package dev.reflector.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules and the dashboard are there as objects of Kubernetes, too, made of the files
 * that Prometheus and Grafana read. With {@code -Dreflector.docs.write=true} they are
 * written, otherwise they are compared.
 */
class MonitoringFilesTests {

	private static final Path FOLDER = SourceDoc.ROOT.resolve("docs/monitoring");

	@Test
	void theRulesAreAPrometheusRule() throws IOException {
		String rules = Files.readString(FOLDER.resolve("reflector-rules.yaml"));
		String groups = rules.substring(rules.indexOf("groups:"));
		String object = check("reflector-prometheusrule.yaml", """
				# Made of reflector-rules.yaml: change that file.
				apiVersion: monitoring.coreos.com/v1
				kind: PrometheusRule
				metadata:
				  name: reflector
				  labels:
				    release: kube-prometheus-stack
				spec:
				""" + groups.indent(2));
		Map<String, Map<String, Object>> parsed = new Yaml().load(object);
		Map<String, Object> wanted = new Yaml().load(rules);
		assertThat(parsed.get("spec")).isEqualTo(wanted);
	}

	@Test
	void theDashboardIsAConfigMap() throws IOException {
		String dashboard = Files.readString(FOLDER.resolve("reflector-dashboard.json"));
		String object = check("reflector-dashboard-configmap.yaml", """
				# Made of reflector-dashboard.json: change that file.
				apiVersion: v1
				kind: ConfigMap
				metadata:
				  name: reflector-dashboard
				  labels:
				    grafana_dashboard: "1"
				data:
				  reflector-dashboard.json: |
				""" + dashboard.indent(4));
		Map<String, Map<String, Object>> parsed = new Yaml().load(object);
		assertThat(parsed.get("data")).containsEntry("reflector-dashboard.json", dashboard);
	}

	private static String check(String name, String wanted) throws IOException {
		Path file = FOLDER.resolve(name);
		if (Boolean.getBoolean("reflector.docs.write")) {
			Files.writeString(file, wanted);
		}
		assertThat(Files.readString(file)).as("%s; to write it, run this test with -Dreflector.docs.write=true", name)
			.isEqualTo(wanted);
		return wanted;
	}

}
