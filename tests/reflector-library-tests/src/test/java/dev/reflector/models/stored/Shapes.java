package dev.reflector.models.stored;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFilter;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.JsonView;
import dev.reflector.GenericResource;
import dev.reflector.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.annotation.JsonPOJOBuilder;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Types of objects as applications declare them, each with an object of the server.
 */
final class Shapes {

	private static final String META = "\"metadata\":{\"name\":\"a\",\"namespace\":\"red\",\"uid\":\"u1\","
			+ "\"resourceVersion\":\"7\",\"labels\":{\"app\":\"x\"},\"creationTimestamp\":\"2026-01-31T12:00:00Z\"}";

	private static final String POD = """
			{%s,"apiVersion":"v1","kind":"Pod","spec":{"hostIPC":true,"tolerations":[],"nodeName":"",
			"terminationGracePeriodSeconds":0,"containers":[{"name":"web","image":"nginx","args":[],
			"env":[{"name":"A","value":""}],"livenessProbe":{"httpGet":{"path":"/","port":8080}},
			"readinessProbe":{"tcpSocket":{"port":"http"}},"resources":{"limits":{"cpu":"500m","memory":"1.5Gi",
			"pods":"3","disk":"12e6"},"requests":{"cpu":"0.1","memory":"64Mi"}}}],
			"volumes":[{"name":"v","emptyDir":{}},{"name":"s","secret":{"secretName":"x","defaultMode":420}}]},
			"status":{"phase":"Running","startTime":"2026-01-31T12:00:00Z","podIPs":[{"ip":"10.0.0.1"}],
			"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-31T12:00:00.123456Z"}]}}""";

	private Shapes() {
	}

	/**
	 * A type and one of its objects.
	 *
	 * @param type the type
	 * @param json the object as the server sends it
	 */
	record Shape(Class<?> type, String json) {

		/** Models of other clients have thousands of properties. */
		boolean isLarge() {
			return !this.type.getName().startsWith("dev.reflector.");
		}

		@Override
		public String toString() {
			return this.type.getSimpleName();
		}

	}

	static List<Shape> accepted() {
		List<Shape> shapes = new ArrayList<>();
		records(shapes);
		hiding(shapes);
		beans(shapes);
		subtypes(shapes);
		values(shapes);
		languages(shapes);
		models(shapes);
		return shapes;
	}

	private static void add(List<Shape> shapes, Class<?> type, String json) {
		shapes.add(new Shape(type, "{" + META + (json.isEmpty() ? "" : ",") + json.replace('\'', '"') + "}"));
	}

	private static void records(List<Shape> shapes) {
		add(shapes, Plain.class, "'text':'t','count':3,'boxed':4,'size':5,'on':true,'off':false");
		add(shapes, Plain.class, "");
		add(shapes, Empties.class,
				"'list':[],'text':'','replicas':0,'map':{},'flag':false,'one':['x'],'byKey':{'k':null}");
		add(shapes, Empties.class, "'list':null,'text':null,'map':null");
		add(shapes, Nested.class,
				"'spec':{'parts':[{'name':'p','at':{'x':1,'y':0}}],'byName':{'q':{'name':null,'at':null}}}");
		add(shapes, Recursive.class,
				"'children':[{'metadata':{'name':'b'},'children':[],'next':null}],'next':{'children':null}");
		add(shapes, Named.class, "'first_name':'f','other':'o','was':'w'");
		add(shapes, Defaulted.class, "");
		add(shapes, Factory.class, "'size':7");
		add(shapes, References.class,
				"'text':'t','spec':{'name':'n','at':null},'number':1,'big':2,'real':1.5,'atomic':['a'],'none':null");
		add(shapes, References.class, "");
	}

	private static void hiding(List<Shape> shapes) {
		add(shapes, WriteOnly.class, "'data':{'k':'geheim'},'type':'t'");
		add(shapes, AllowSetters.class, "'data':{'k':'geheim'},'type':'t'");
		add(shapes, MaskedComponent.class, "'password':'geheim','secret':{'text':'geheim'}");
		add(shapes, NonEmpty.class, "'list':[],'text':'','replicas':0,'nested':{'list':[],'text':''}");
		add(shapes, NonDefault.class, "'flag':false,'count':0,'text':null");
		add(shapes, Viewed.class, "'text':'t','count':0");
		add(shapes, Filtered.class, "'text':'t','count':0");
		add(shapes, MaskedAccessor.class, "'password':'geheim'");
	}

	private static void beans(List<Shape> shapes) {
		add(shapes, Bean.class, "'text':'','count':0,'tags':[],'password':'geheim','url':'u','active':true");
		add(shapes, Bean.class, "'text':null,'tags':null");
		add(shapes, Fields.class, "'text':'t','list':['']");
		add(shapes, Built.class, "'size':0,'names':['a']");
		add(shapes, Inherited.class, "'value':{'name':'n','at':{'x':1,'y':2}},'list':[]");
		add(shapes, Rest.class, "'known':'k','a':1,'b':{'c':[null,1.5,'']},'d':null");
		add(shapes, RestRecord.class, "'known':'k','a':1,'b':2");
	}

	private static void subtypes(List<Shape> shapes) {
		add(shapes, Drawing.class,
				"'shape':{'kind':'circle','radius':0,'secret':'s'},'all':[{'kind':'square','side':1}],"
						+ "'byName':{'a':{'kind':'circle'}},'maybe':{'kind':'square','side':0}");
		add(shapes, Wrapped.class, "'animal':{'cat':{'lives':9}},'animals':[{'dog':{'name':''}},null]");
		add(shapes, Deduced.class, "'source':{'url':''},'sources':[{'path':'p'}]");
		add(shapes, External.class, "'kind':'cat','animal':{'lives':0}");
		add(shapes, ExternalBean.class, "'kind':'cat','animal':{'lives':0},'text':''");
		add(shapes, Visible.class, "'event':{'type':'a','value':0}");
	}

	private static void values(List<Shape> shapes) {
		add(shapes, Maps.class,
				"'ints':{'1':'a'},'enums':{'RED':0},'uuids':{'00000000-0000-0000-0000-000000000001':''},"
						+ "'dates':{'2026-01-31':true},'keys':{'k':null},'nested':{'a':{'b':[]}},'sorted':{'z':1,'a':2}");
		add(shapes, Enums.class,
				"'color':'RED','named':'the-first','valued':2,'made':'x','printed':'Two','list':['GREEN'],"
						+ "'map':{'GREEN':1},'set':['RED'],'absent':null");
		add(shapes, Times.class, TIMES);
		add(shapes, Patterned.class, "'day':'31.01.2026','at':'2026-01-31 12:00','instant':'2026-01-31T12:00:00Z',"
				+ "'number':1769860800,'seconds':90,'date':'2026-01-31T12:00:00Z'");
		add(shapes, Legacy.class,
				"'date':'2026-01-31T12:00:00.123Z','calendar':'2026-01-31T12:00:00.000Z','zone':'Europe/Berlin'");
		add(shapes, Numbers.class,
				"'decimal':1.50,'integer':123456789012345678901234567890,'real':1.0E-7,'nan':'NaN','single':0.1,"
						+ "'small':-1,'tiny':127,'letter':'x','flag':true,'whole':5,'wide':6,'any':7,'text':8");
		add(shapes, Bytes.class, "'data':'AAEC/w==','letters':'abc','ints':[1,0],'flags':[true],'reals':[0.0,'NaN'],"
				+ "'buffer':'AAEC','texts':['',null],'empty':''");
		add(shapes, Trees.class, "'any':{'a':[1,null,{'b':1.50}]},'object':{'x':{}},'array':[[]],'nothing':null");
		add(shapes, Untyped.class,
				"'value':{'port':8080,'empty':{},'none':null,'real':1.0,'text':'1'},'list':[1,'1',[],true]");
		add(shapes, Scalars.class, "'port':8080,'name':'n','wrapped':{'a':'b'},'ports':[0],'only':'o'");
		add(shapes, Custom.class, "'hours':'2h','list':['3h'],'celsius':'21C'");
		add(shapes, Unwrapped.class, "'x':1,'y':0,'text':''");
		add(shapes, UnwrappedRecord.class, "'at-x':1,'at-y':0,'text':''");
		add(shapes, AsArray.class, "'point':['',1,0]");
		add(shapes, Platform.class,
				"'uri':'https://a/b','locale':'de-DE','currency':'EUR','pattern':'a+','charset':'UTF-8',"
						+ "'id':'00000000-0000-0000-0000-000000000001','path':'a/b','address':'10.0.0.1','builder':'','type':'java.lang.String'");
		shapes.add(new Shape(GenericResource.class,
				"{" + META + ",\"spec\":{\"list\":[],\"text\":\"\",\"none\":null,\"real\":1.50,\"count\":0}}"));
	}

	private static void languages(List<Shape> shapes) {
		add(shapes, LombokShapes.Bean.class,
				"'text':'','active':false,'password':'geheim','parts':[{'name':null,'count':0}]");
		add(shapes, LombokShapes.Built.class, "'text':'','size':0,'names':['a'],'part':{'name':'p','count':0}");
		add(shapes, LombokShapes.Built.class, "");
		add(shapes, LombokShapes.SettersAlone.class, "'secret':'geheim','count':0");
		add(shapes, LombokShapes.Chained.class, "'text':''");
		add(shapes, KotlinShapes.Data.class, "'text':null,'size':0,'isActive':false,'list':[],'renamed':'r',"
				+ "'password':'geheim','map':{'a':null},'spec':{'count':0,'deep':{'metadata':{'name':'b'},'renamed':null}}");
		add(shapes, KotlinShapes.Data.class, "");
		add(shapes, KotlinShapes.WithValueClass.class, "'id':'i','maybe':'m','count':0,'maybeCount':2,'ids':['a']");
		add(shapes, KotlinShapes.WithValueClass.class, "'id':''");
		add(shapes, KotlinShapes.Bean.class, "'text':'','isActive':true,'active':true,'tags':[],'password':'geheim'");
		add(shapes, KotlinShapes.Sealed.class,
				"'form':{'kind':'circle','radius':0.0},'forms':[{'kind':'none','why':null},{'kind':'circle'}]");
	}

	private static void models(List<Shape> shapes) {
		shapes.add(new Shape(V1Pod.class, POD.formatted(META)));
		add(shapes, V1Secret.class, "'data':{'k':'AAEC'},'immutable':false,'stringData':{},'type':''");
		shapes.add(new Shape(Pod.class, POD.formatted(META)));
		add(shapes, io.fabric8.kubernetes.api.model.Secret.class,
				"'data':{'k':'AAEC'},'immutable':false,'stringData':{},'type':''");
	}

	private static final String TIMES = "'instant':'2026-01-31T12:00:00.123456789Z','date':'2026-01-31','time':'12:00','both':'2026-01-31T12:00:00',"
			+ "'offset':'2026-01-31T12:00:00+01:00','zoned':'2026-01-31T12:00:00+01:00[Europe/Berlin]','offsetTime':'12:00+01:00',"
			+ "'duration':'PT1.5S','period':'P1D','year':2026,'yearMonth':'2026-01','monthDay':'--01-31','zone':'Europe/Berlin',"
			+ "'zoneOffset':'+01:00','month':'JANUARY','day':'MONDAY','instants':[],'maybe':'2026-01-31T12:00:00Z'";

	/**
	 * Returns the types that are refused at the start, each with a word of its refusal.
	 */
	static Map<Class<?>, String> refused() {
		return Map.of(ReadOnlyByApplication.class, "'spec.hours'", SetterAlone.class, "'legacySize'", OpaqueValue.class,
				"'token'");
	}

	record Plain(ObjectMeta metadata, String text, int count, Integer boxed, long size, boolean on, Boolean off) {

	}

	record Empties(ObjectMeta metadata, @Nullable List<String> list, @Nullable String text, Integer replicas,
			@Nullable Map<String, String> map, Boolean flag, List<String> one, Map<String, @Nullable String> byKey) {

	}

	record Point(int x, int y) {

	}

	record Part(@Nullable String name, @Nullable Point at) {

	}

	record Nested(ObjectMeta metadata, Spec spec) {

		record Spec(List<Part> parts, Map<String, Part> byName) {

		}

	}

	record Recursive(ObjectMeta metadata, @Nullable List<Recursive> children, @Nullable Optional<Recursive> next) {

	}

	@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
	record Named(ObjectMeta metadata, String firstName, @JsonProperty("other") String second,
			@JsonAlias("was") String isNow) {

	}

	record Defaulted(ObjectMeta metadata, @Nullable List<String> list, @Nullable String text) {

		Defaulted {
			list = (list != null) ? List.copyOf(list) : List.of("default");
			text = (text != null) ? text : "default";
		}

	}

	static final class Factory {

		private final ObjectMeta metadata;

		private final int size;

		private Factory(ObjectMeta metadata, int size) {
			this.metadata = metadata;
			this.size = size;
		}

		@JsonCreator
		static Factory of(@JsonProperty("metadata") ObjectMeta metadata, @JsonProperty("size") int size) {
			return new Factory(metadata, size);
		}

		@JsonIgnore
		int twice() {
			return 2 * this.size + ((this.metadata != null) ? 0 : 1);
		}

	}

	record References(ObjectMeta metadata, Optional<String> text, Optional<Part> spec, OptionalInt number,
			OptionalLong big, OptionalDouble real, AtomicReference<List<String>> atomic, Optional<String> none) {

	}

	record WriteOnly(ObjectMeta metadata,
			@JsonProperty(access = JsonProperty.Access.WRITE_ONLY) Map<String, String> data, String type) {

	}

	@JsonIgnoreProperties(value = "data", allowSetters = true)
	record AllowSetters(ObjectMeta metadata, Map<String, String> data, String type) {

	}

	record MaskedComponent(ObjectMeta metadata, @JsonSerialize(using = Mask.class) String password, Secret secret) {

	}

	@JsonSerialize(using = Mask.class)
	record Secret(String text) {

	}

	static final class Mask extends StdSerializer<Object> {

		Mask() {
			super(Object.class);
		}

		@Override
		public void serialize(Object value, JsonGenerator out, SerializationContext context) {
			out.writeString("***");
		}

	}

	@JsonInclude(JsonInclude.Include.NON_EMPTY)
	record NonEmpty(ObjectMeta metadata, List<String> list, String text, Integer replicas, @Nullable NonEmpty nested) {

	}

	@JsonInclude(JsonInclude.Include.NON_DEFAULT)
	record NonDefault(ObjectMeta metadata, Boolean flag, Integer count, @Nullable String text) {

	}

	record Viewed(ObjectMeta metadata, @JsonView(Deprecated.class) String text, Integer count) {

	}

	@JsonFilter("none")
	record Filtered(ObjectMeta metadata, String text, Integer count) {

	}

	record MaskedAccessor(ObjectMeta metadata, String password) {

		@Override
		public String password() {
			return "***";
		}

	}

	static class Bean {

		private @Nullable ObjectMeta metadata;

		private @Nullable String text = "default";

		private int count = 5;

		private @Nullable List<String> tags = new ArrayList<>();

		private @Nullable String password;

		private @Nullable String URL;

		private boolean active;

		public @Nullable ObjectMeta getMetadata() {
			return this.metadata;
		}

		public void setMetadata(ObjectMeta metadata) {
			this.metadata = metadata;
		}

		public @Nullable String getText() {
			return this.text;
		}

		public void setText(@Nullable String text) {
			this.text = text;
		}

		public int getCount() {
			return this.count;
		}

		public void setCount(int count) {
			this.count = count;
		}

		public @Nullable List<String> getTags() {
			return this.tags;
		}

		public void setTags(@Nullable List<String> tags) {
			this.tags = tags;
		}

		@JsonIgnore
		public @Nullable String getPassword() {
			return this.password;
		}

		@JsonProperty
		public void setPassword(String password) {
			this.password = password;
		}

		public @Nullable String getURL() {
			return this.URL;
		}

		public void setURL(String url) {
			this.URL = url;
		}

		public boolean isActive() {
			return this.active;
		}

		public void setActive(boolean active) {
			this.active = active;
		}

	}

	static class Fields {

		public @Nullable ObjectMeta metadata;

		public @Nullable String text;

		public List<String> list = new ArrayList<>(List.of("default"));

	}

	@JsonDeserialize(builder = Built.Builder.class)
	static final class Built {

		private final @Nullable ObjectMeta metadata;

		private final int size;

		private final Set<String> names;

		private Built(Builder builder) {
			this.metadata = builder.metadata;
			this.size = builder.size;
			this.names = Set.copyOf(builder.names);
		}

		public @Nullable ObjectMeta metadata() {
			return this.metadata;
		}

		public int size() {
			return this.size;
		}

		public List<String> names() {
			return List.copyOf(this.names);
		}

		@JsonPOJOBuilder(withPrefix = "")
		static final class Builder {

			private @Nullable ObjectMeta metadata;

			private int size = 1;

			private List<String> names = List.of();

			Builder metadata(ObjectMeta metadata) {
				this.metadata = metadata;
				return this;
			}

			Builder size(int size) {
				this.size = size;
				return this;
			}

			Builder names(List<String> names) {
				this.names = names;
				return this;
			}

			Built build() {
				return new Built(this);
			}

		}

	}

	static class Base<T> {

		private @Nullable T value;

		private @Nullable Collection<T> list;

		public @Nullable T getValue() {
			return this.value;
		}

		public void setValue(T value) {
			this.value = value;
		}

		public @Nullable Collection<T> getList() {
			return this.list;
		}

		public void setList(Collection<T> list) {
			this.list = list;
		}

	}

	static class Inherited extends Base<Part> {

		public @Nullable ObjectMeta metadata;

	}

	static class Rest {

		public @Nullable ObjectMeta metadata;

		public @Nullable String known;

		@JsonIgnore
		private final Map<String, @Nullable Object> others = new LinkedHashMap<>();

		@JsonAnyGetter
		public Map<String, @Nullable Object> getOthers() {
			return this.others;
		}

		@JsonAnySetter
		public void set(String name, @Nullable Object value) {
			this.others.put(name, value);
		}

	}

	record RestRecord(ObjectMeta metadata, String known, @JsonAnySetter Map<String, Integer> others) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes({ @JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class) })
	sealed interface Form permits Circle, Square {

	}

	@JsonTypeName("circle")
	record Circle(int radius, @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String secret) implements Form {

	}

	@JsonTypeName("square")
	record Square(int side) implements Form {

	}

	record Drawing(ObjectMeta metadata, Form shape, List<Form> all, Map<String, Form> byName, Optional<Form> maybe) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
	@JsonSubTypes({ @JsonSubTypes.Type(value = Cat.class, name = "cat"),
			@JsonSubTypes.Type(value = Dog.class, name = "dog") })
	sealed interface Animal permits Cat, Dog {

	}

	record Cat(Integer lives) implements Animal {

	}

	record Dog(String name) implements Animal {

	}

	record Wrapped(ObjectMeta metadata, Animal animal, List<@Nullable Animal> animals) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
	@JsonSubTypes({ @JsonSubTypes.Type(Remote.class), @JsonSubTypes.Type(Local.class) })
	interface Source {

	}

	record Remote(String url) implements Source {

	}

	record Local(String path) implements Source {

	}

	record Deduced(ObjectMeta metadata, Source source, List<Source> sources) {

	}

	interface Pet {

	}

	record Kitten(Integer lives) implements Pet {

	}

	record External(ObjectMeta metadata, @JsonTypeInfo(use = JsonTypeInfo.Id.NAME,
			include = JsonTypeInfo.As.EXTERNAL_PROPERTY,
			property = "kind") @JsonSubTypes(@JsonSubTypes.Type(value = Kitten.class, name = "cat")) Pet animal) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type", visible = true)
	@JsonSubTypes(@JsonSubTypes.Type(value = Event.Started.class, name = "a"))
	interface Event {

		record Started(String type, Integer value) implements Event {

		}

	}

	record Visible(ObjectMeta metadata, Event event) {

	}

	enum Color {

		RED, GREEN

	}

	enum Renamed {

		@JsonProperty("the-first")
		FIRST, SECOND

	}

	enum Valued {

		ONE(1), TWO(2);

		private final int number;

		Valued(int number) {
			this.number = number;
		}

		@JsonValue
		int number() {
			return this.number;
		}

	}

	enum Made {

		X, Y;

		@JsonCreator
		static Made of(String text) {
			return valueOf(text.toUpperCase(Locale.ROOT));
		}

	}

	enum Printed {

		ONE, TWO;

		@Override
		public String toString() {
			return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
		}

	}

	record Key(@JsonValue String text) {

		@JsonCreator
		static Key of(String text) {
			return new Key(text);
		}

	}

	record Maps(ObjectMeta metadata, Map<Integer, String> ints, Map<Color, Integer> enums, Map<UUID, String> uuids,
			Map<LocalDate, Boolean> dates, Map<Key, @Nullable String> keys,
			Map<String, Map<String, List<String>>> nested, java.util.SortedMap<String, Integer> sorted) {

	}

	record Enums(ObjectMeta metadata, Color color, Renamed named, Valued valued, Made made, Printed printed,
			List<Color> list, EnumMap<Color, Integer> map, EnumSet<Color> set, @Nullable Color absent) {

	}

	record Times(ObjectMeta metadata, Instant instant, LocalDate date, LocalTime time, LocalDateTime both,
			OffsetDateTime offset, ZonedDateTime zoned, OffsetTime offsetTime, Duration duration, Period period,
			Year year, YearMonth yearMonth, MonthDay monthDay, ZoneId zone, ZoneOffset zoneOffset, Month month,
			DayOfWeek day, List<Instant> instants, Optional<Instant> maybe) {

	}

	record Patterned(ObjectMeta metadata, @JsonFormat(pattern = "dd.MM.yyyy") LocalDate day,
			@JsonFormat(pattern = "yyyy-MM-dd HH:mm") LocalDateTime at,
			@JsonFormat(pattern = "yyyy-MM-dd'T'HH:mm:ssX", timezone = "UTC") Instant instant,
			@JsonFormat(shape = JsonFormat.Shape.NUMBER) Instant number,
			@JsonFormat(pattern = "SECONDS") Duration seconds,
			@JsonFormat(pattern = "yyyy-MM-dd'T'HH:mm:ssX", timezone = "UTC") Date date) {

	}

	record Legacy(ObjectMeta metadata, Date date, Calendar calendar, TimeZone zone) {

	}

	record Numbers(ObjectMeta metadata, BigDecimal decimal, BigInteger integer, double real, Double nan, Float single,
			short small, byte tiny, char letter, AtomicBoolean flag, AtomicInteger whole, AtomicLong wide, Number any,
			@JsonFormat(shape = JsonFormat.Shape.STRING) Integer text) {

	}

	record Bytes(ObjectMeta metadata, byte[] data, char[] letters, int[] ints, boolean[] flags, double[] reals,
			ByteBuffer buffer, @Nullable String[] texts, byte[] empty) {

	}

	record Trees(ObjectMeta metadata, JsonNode any, ObjectNode object, ArrayNode array, JsonNode nothing,
			@Nullable JsonNode absent) {

	}

	record Untyped(ObjectMeta metadata, Object value, List<Object> list) {

	}

	record Port(@JsonValue int number) {

		@JsonCreator
		static Port of(int number) {
			return new Port(number);
		}

	}

	record Name(String text) {

		@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
		Name {
		}

	}

	static final class Labels {

		private final Map<String, String> entries;

		@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
		Labels(Map<String, String> entries) {
			this.entries = entries;
		}

		@JsonValue
		Map<String, String> entries() {
			return this.entries;
		}

	}

	static final class Only {

		private final String text;

		Only(String text) {
			this.text = text;
		}

		@JsonCreator
		static Only valueOf(String text) {
			return new Only(text);
		}

		int length() {
			return this.text.length();
		}

	}

	record Scalars(ObjectMeta metadata, Port port, Name name, Labels wrapped, List<Port> ports, Only only) {

	}

	record Custom(ObjectMeta metadata,
			@JsonSerialize(using = HoursOut.class) @JsonDeserialize(using = HoursIn.class) Integer hours,
			@JsonSerialize(contentUsing = HoursOut.class) @JsonDeserialize(
					contentUsing = HoursIn.class) List<Integer> list,
			Celsius celsius) {

	}

	@JsonSerialize(using = CelsiusOut.class)
	@JsonDeserialize(using = CelsiusIn.class)
	record Celsius(int degrees) {

	}

	static final class HoursOut extends StdSerializer<Integer> {

		HoursOut() {
			super(Integer.class);
		}

		@Override
		public void serialize(Integer value, JsonGenerator out, SerializationContext context) {
			out.writeString(value + "h");
		}

	}

	static final class HoursIn extends StdDeserializer<Integer> {

		HoursIn() {
			super(Integer.class);
		}

		@Override
		public Integer deserialize(JsonParser parser, DeserializationContext context) {
			return Integer.valueOf(parser.getString().replace("h", ""));
		}

	}

	static final class CelsiusOut extends StdSerializer<Celsius> {

		CelsiusOut() {
			super(Celsius.class);
		}

		@Override
		public void serialize(Celsius value, JsonGenerator out, SerializationContext context) {
			out.writeString(value.degrees() + "C");
		}

	}

	static final class CelsiusIn extends StdDeserializer<Celsius> {

		CelsiusIn() {
			super(Celsius.class);
		}

		@Override
		public Celsius deserialize(JsonParser parser, DeserializationContext context) {
			return new Celsius(Integer.parseInt(parser.getString().replace("C", "")));
		}

	}

	static class Unwrapped {

		public @Nullable ObjectMeta metadata;

		@JsonUnwrapped
		public @Nullable Point point;

		public @Nullable String text;

	}

	@JsonFormat(shape = JsonFormat.Shape.ARRAY)
	static class Triple {

		public int x;

		public int y;

		public @Nullable String name;

	}

	static class ExternalBean {

		public @Nullable ObjectMeta metadata;

		@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.EXTERNAL_PROPERTY, property = "kind")
		@JsonSubTypes(@JsonSubTypes.Type(value = Kitten.class, name = "cat"))
		public @Nullable Pet animal;

		public @Nullable String text;

	}

	record UnwrappedRecord(ObjectMeta metadata, @JsonUnwrapped(prefix = "at-") Point point, String text) {

	}

	record AsArray(ObjectMeta metadata, Triple point) {

	}

	record Platform(ObjectMeta metadata, URI uri, Locale locale, Currency currency, Pattern pattern, Charset charset,
			UUID id, Path path, InetAddress address, StringBuilder builder, Class<?> type) {

	}

	record ReadOnlyByApplication(ObjectMeta metadata, Spec spec) {

		record Spec(@JsonDeserialize(using = HoursIn.class) Integer hours) {

		}

	}

	static class SetterAlone {

		public @Nullable ObjectMeta metadata;

		private long size;

		public void setLegacySize(String text) {
			this.size = text.length();
		}

		long twice() {
			return 2 * this.size;
		}

	}

	static final class Token {

		private final String text;

		private final int length;

		private Token(String text) {
			this.text = text;
			this.length = text.length();
		}

		@JsonCreator
		static Token of(String text) {
			return new Token(text);
		}

		int sum() {
			return this.text.length() + this.length;
		}

	}

	record OpaqueValue(ObjectMeta metadata, Token token) {

	}

}
