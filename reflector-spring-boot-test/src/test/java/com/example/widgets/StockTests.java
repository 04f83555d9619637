package com.example.widgets;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import dev.reflector.test.context.AutoConfigureEmbeddedApiServer;
import dev.reflector.test.context.ReflectorProbe;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

// tag::application[]
@SpringBootTest
@AutoConfigureEmbeddedApiServer
class StockTests {

	@Autowired
	private EmbeddedApiServer server;

	@Autowired
	private ReflectorProbe probe;

	@Autowired
	private Stock stock;

	@Test
	void followsTheSizesOfAllWidgets() {
		ResourceCollection widgets = this.server.resources("widgets");
		widgets.create("""
				{"metadata": {"name": "first"}, "spec": {"size": 1}}
				""");
		widgets.create("""
				{"metadata": {"name": "second"}, "spec": {"size": 2}}
				""");
		widgets.mergePatch("default", "second", """
				{"spec": {"size": 5}}
				""");
		widgets.delete("default", "first");
		this.probe.awaitCaughtUp();
		assertThat(this.stock.total()).isEqualTo(5);
	}

}
// end::application[]
