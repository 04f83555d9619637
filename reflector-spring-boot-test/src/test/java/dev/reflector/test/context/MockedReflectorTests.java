package dev.reflector.test.context;

import com.example.widgets.Widget;
import com.example.widgets.WidgetApplication;
import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.event.ResourceEventStream;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Applications whose tests put mocks in the place of reflectors and listers start, with
 * all that looks at reflectors.
 */
@SpringBootTest(classes = WidgetApplication.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = { "management.endpoints.web.exposure.include=*", "reflector.resources.widgets.namespaces=blue" })
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MockedReflectorTests {

	@MockitoBean
	private Reflector<Widget> reflector;

	@MockitoBean
	private Lister<Widget> widgets;

	@Autowired
	private MeterRegistry meters;

	@Autowired
	private ReflectorsEndpoint endpoint;

	@Autowired
	private CompositeHealthContributor reflectorsHealthContributor;

	@Test
	void aMockIsNotShownInMetersHealthAndEndpoint(CapturedOutput output) {
		assertThat(this.reflector.name()).isNull();
		assertThat(this.meters.find("reflector.synced").gauges()).isEmpty();
		assertThat(this.reflectorsHealthContributor.stream()).isEmpty();
		assertThat(this.endpoint.reflectors().reflectors()).isEmpty();
		assertThat(output).doesNotContain("has no effect");
	}

	@Test
	void noEventStreamIsMadeOfAMock(@Autowired ObjectProvider<ResourceEventStream<Widget>> events) {
		assertThatExceptionOfType(BeanCreationException.class).isThrownBy(events::getObject)
			.havingRootCause()
			.withMessageContaining("'widgetReflector'")
			.withMessageContaining("has no mirror");
	}

}
