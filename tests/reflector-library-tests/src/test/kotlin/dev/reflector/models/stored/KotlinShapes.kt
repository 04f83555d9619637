package dev.reflector.models.stored

import com.fasterxml.jackson.annotation.JsonIgnore
import com.fasterxml.jackson.annotation.JsonProperty
import com.fasterxml.jackson.annotation.JsonSubTypes
import com.fasterxml.jackson.annotation.JsonTypeInfo
import dev.reflector.ObjectMeta

/** Types as applications declare them in Kotlin. */
class KotlinShapes {

	data class Data(
		val metadata: ObjectMeta,
		val text: String? = "default",
		val size: Int = 1,
		val isActive: Boolean = true,
		val list: List<String> = listOf("default"),
		val spec: Spec = Spec(0),
		@param:JsonProperty("renamed") val other: String?,
		@param:JsonProperty(access = JsonProperty.Access.WRITE_ONLY) val password: String? = null,
		val map: Map<String, Int?> = emptyMap(),
	)

	data class Spec(val count: Int, val deep: Data? = null)

	@JvmInline
	value class Id(val text: String)

	@JvmInline
	value class Count(val number: Int)

	data class WithValueClass(
		val metadata: ObjectMeta,
		val id: Id,
		val maybe: Id?,
		val count: Count = Count(1),
		val maybeCount: Count? = null,
		val ids: List<Id> = emptyList(),
	)

	class Bean {
		lateinit var metadata: ObjectMeta
		var text: String? = "default"
		var isActive: Boolean = false
		var tags: MutableList<String> = mutableListOf("default")

		@get:JsonIgnore
		@set:JsonProperty
		var password: String? = null
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes(JsonSubTypes.Type(value = Circle::class, name = "circle"), JsonSubTypes.Type(value = None::class, name = "none"))
	sealed interface Form

	data class Circle(val radius: Double = 1.0) : Form

	data class None(val why: String?) : Form

	data class Sealed(val metadata: ObjectMeta, val form: Form, val forms: List<Form>)

}
