package dev.reflector.test.context;

import com.example.widgets.Widget;
import com.example.widgets.WidgetApplication;
import dev.reflector.Lister;
import dev.reflector.cache.informer.SharedInformer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Like tests with mocks of {@link dev.reflector.Reflector}, for code that injects the
 * informer.
 */
@SpringBootTest(classes = WidgetApplication.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = { "management.endpoints.web.exposure.include=*", "reflector.resources.widgets.namespaces=blue" })
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MockedInformerTests {

	@MockitoBean
	private SharedInformer<Widget> informer;

	@Test
	void noListerIsMadeOfAMock(@Autowired ObjectProvider<Lister<Widget>> widgets) {
		assertThat(this.informer.name()).isNull();
		assertThatExceptionOfType(BeanCreationException.class).isThrownBy(widgets::getObject)
			.havingRootCause()
			.withMessageContaining("'widgetReflector'")
			.withMessageContaining("has no mirror");
	}

}
