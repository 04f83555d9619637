package dev.reflector.sample.kotlin

import dev.reflector.Lister
import dev.reflector.Reflector
import dev.reflector.test.EmbeddedApiServer
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import org.springframework.beans.factory.getBean
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import tools.jackson.databind.json.JsonMapper

/**
 * Tests how Jackson reads objects of a server with its module for Kotlin, and without it.
 */
class KotlinApplicationTests {

	private lateinit var server: EmbeddedApiServer

	@BeforeEach
	fun startServer() {
		server = EmbeddedApiServer.builder().type("apps/v1", "Deployment", "deployments", true).start()
	}

	@AfterEach
	fun closeServer() {
		server.close()
	}

	private fun run(vararg arguments: String, sources: Array<Class<*>> = emptyArray()): ConfigurableApplicationContext =
		SpringApplicationBuilder(KotlinApplication::class.java, *sources)
			.run("--reflector.api-server.url=${server.url()}", "--reflector.startup.strict=true", *arguments)

	private fun create(name: String, vararg parts: Pair<String, Any?>) {
		server.resources("deployments").create(mapOf("metadata" to mapOf("name" to name)) + parts)
	}

	@ParameterizedTest
	@ValueSource(strings = ["json", "cbor"])
	fun dataClassesHaveTheirDefaultsNullsAndNestedValues(format: String) {
		create("bare")
		create("full",
			"spec" to mapOf("replicas" to 3, "strategy" to mapOf("type" to "Recreate"), "unknown" to 1),
			"status" to mapOf("conditions" to listOf(mapOf("type" to "Available"),
				mapOf("type" to "Progressing", "reason" to "NewReplicaSet"))))
		run("--reflector.api-server.format=$format").use { context ->
			val deployments = context.getBean<Lister<Deployment>>()
			val bare = deployments.get("default", "bare")!!
			assertThat(bare.spec).isEqualTo(Deployment.Spec(strategy = null))
			assertThat(bare.status).isNull()
			val full = deployments.get("default", "full")!!
			assertThat(full.spec).isEqualTo(Deployment.Spec(3, false, Deployment.Strategy("Recreate")))
			assertThat(full.status).isEqualTo(Deployment.Status(0,
				listOf(Deployment.Condition("Available", null), Deployment.Condition("Progressing", "NewReplicaSet"))))
		}
	}

	@Test
	fun anObjectWithoutWhatMustNotBeNullIsSkipped() {
		create("odd", "spec" to mapOf("strategy" to mapOf<String, Any>()))
		create("good")
		run().use { context ->
			assertThat(context.getBean<Lister<Deployment>>().list().map { it.metadata.name() }).containsExactly("good")
			assertThat(context.getBean<Reflector<Deployment>>().status().skipped()).isEqualTo(1)
		}
	}

	@Test
	fun withoutTheModuleTheStartFailsAndSaysWhatToAdd() {
		assertThatThrownBy { run(sources = arrayOf(PlainMapper::class.java)).close() }
			.hasStackTraceContaining("dev.reflector.sample.kotlin.Deployment is a Kotlin class")
			.hasStackTraceContaining("Add the dependency tools.jackson.module:jackson-module-kotlin")
	}

	@Configuration(proxyBeanMethods = false)
	class PlainMapper {

		@Bean
		fun plainMapper(): JsonMapper = JsonMapper.builder().build()

	}

}
