package dev.reflector.sample.kotlin

import dev.reflector.Lister
import dev.reflector.ObjectMeta
import dev.reflector.ReflectedResource
import dev.reflector.event.ResourceEvent
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.context.event.EventListener
import org.springframework.stereotype.Component

/** Mirrors deployments into data classes, and prints how many are not ready. */
@SpringBootApplication(proxyBeanMethods = false)
class KotlinApplication

fun main(arguments: Array<String>) {
	runApplication<KotlinApplication>(*arguments)
}

/** The mirrored fields of a deployment. A field that the server leaves out has its default, or is null. */
@ReflectedResource(apiVersion = "apps/v1")
data class Deployment(val metadata: ObjectMeta, val spec: Spec = Spec(strategy = null), val status: Status? = null) {

	data class Spec(val replicas: Int = 1, val paused: Boolean = false, val strategy: Strategy?)

	data class Strategy(val type: String)

	data class Status(val readyReplicas: Int = 0, val conditions: List<Condition> = emptyList())

	data class Condition(val type: String, val reason: String?)

}

/** Reads the mirror whenever it changes. */
@Component
class Rollouts(private val deployments: Lister<Deployment>) {

	@EventListener
	fun changed(event: ResourceEvent<Deployment>) {
		val unready = deployments.list().count { (it.status?.readyReplicas ?: 0) < it.spec.replicas }
		println("${event.key()} has changed, $unready deployments are not ready")
	}

}
