package dev.reflector.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static dev.reflector.wire.WireRequest.ALL;
import static dev.reflector.wire.WireRequest.GROUP;
import static dev.reflector.wire.WireRequest.PARTS;
import static dev.reflector.wire.WireRequest.PLANS;
import static dev.reflector.wire.WireRequest.delete;
import static dev.reflector.wire.WireRequest.get;
import static dev.reflector.wire.WireRequest.list;
import static dev.reflector.wire.WireRequest.patch;
import static dev.reflector.wire.WireRequest.post;
import static dev.reflector.wire.WireRequest.put;
import static dev.reflector.wire.WireRequest.send;
import static dev.reflector.wire.WireRequest.watch;

/**
 * The requests of reflectors and kubectl, in a form that any server can answer.
 */
final class WireScript {

	private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
			+ "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

	private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,"
			+ "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";

	private static final String STREAM = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

	private static final String METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,"
			+ "application/json";

	private static final String METADATA = METADATA_LIST.replace("MetadataList", "Metadata");

	private final List<WireRequest> steps = new ArrayList<>();

	private WireScript() {
	}

	static List<WireRequest> steps() {
		WireScript script = new WireScript();
		script.add(creations());
		script.add(discovery());
		script.add(reads());
		script.add(selectors());
		script.lists();
		script.add(pages());
		script.add(oddParameters());
		script.add(changes());
		script.add(watches());
		script.add(streamedLists());
		script.add(illegalWatches());
		script.add(bigLists());
		script.add(metadataOnly());
		script.add(clusterScoped());
		script.add(liveEvents());
		script.add(deletions());
		return List.copyOf(script.steps);
	}

	private void add(Stream<WireRequest> requests) {
		requests.forEach(this.steps::add);
	}

	static String part(String metadata, String spec) {
		return "{\"apiVersion\":\"wire.example.com/v1\",\"kind\":\"Part\",\"metadata\":{" + metadata + "},\"spec\":{"
				+ spec + "}}";
	}

	private static Stream<WireRequest> creations() {
		String big = "0123456789".repeat(20_000);
		return Stream.of(
				post("create a", part("\"name\":\"a\",\"labels\":{\"app\":\"web\",\"tier\":\"front\"}", "\"size\":1")),
				post("create b", part("\"name\":\"b\",\"labels\":{\"app\":\"db\"}", "\"size\":2")),
				post("create c", part("\"name\":\"c\",\"labels\":{\"app\":\"web\"}", "\"size\":3")),
				send("create in another namespace", "POST", GROUP + "/v1/namespaces/other/parts", "application/json",
						part("\"name\":\"a\"", "\"pad\":\"" + big + "\"")),
				post("create what exists", part("\"name\":\"a\"", "\"size\":1")),
				post("create without a name", part("", "\"size\":1")),
				post("create with a bad name", part("\"name\":\"A_b\"", "\"size\":1")),
				post("create with a version", part("\"name\":\"d\",\"resourceVersion\":\"1\"", "\"size\":1")),
				post("create for another namespace", part("\"name\":\"d\",\"namespace\":\"x\"", "\"size\":1")),
				post("create of another kind", part("\"name\":\"d\"", "\"size\":1").replace("Part", "Whole")),
				post("create of another version", part("\"name\":\"d\"", "\"size\":1").replace("/v1", "/v2")),
				post("create of nothing", ""), post("create of no JSON", "size: {"), post("create of no object", "[1]"),
				send("create in plain text", "POST", PARTS, "text/plain", part("\"name\":\"d\"", "\"size\":1")),
				send("create without a namespace", "POST", ALL, "application/json",
						part("\"name\":\"d\"", "\"size\":1")),
				post("create what is to be finalized",
						part("\"name\":\"z\",\"finalizers\":[\"example.com/wait\"]", "\"size\":4")));
	}

	private static Stream<WireRequest> discovery() {
		return Stream.of(get("/api", "/api"), get("/apis", "/apis"), get("/api, aggregated", "/api", AGGREGATED),
				get("/apis, aggregated", "/apis", AGGREGATED), get("group", GROUP),
				get("group and version", GROUP + "/v1"),
				get("group and version, aggregated", GROUP + "/v1", AGGREGATED),
				get("group that is not there", "/apis/nothing.example.com"),
				get("version that is not there", GROUP + "/v9"),
				get("version of a group that is not there", "/apis/nothing.example.com/v1"), get("/livez", "/livez"));
	}

	private static Stream<WireRequest> reads() {
		return Stream.of(get("get", PARTS + "/a"), get("get at any version", PARTS + "/a?resourceVersion=0"),
				get("get at a version to come", PARTS + "/a?resourceVersion=${future}"),
				get("get at no version", PARTS + "/a?resourceVersion=abc"), get("get what is not there", PARTS + "/x"),
				get("get the status", PARTS + "/a/status"), get("get the scale", PARTS + "/a/scale"),
				get("get something of it", PARTS + "/a/something"),
				get("get something deeper", PARTS + "/a/something/deeper"),
				send("PATCH of the scale", "PATCH", PARTS + "/a/scale", "application/merge-patch+json",
						"{\"spec\":{\"replicas\":3}}"),
				get("get without a namespace", ALL + "/a"),
				get("list of a type that is not there", GROUP + "/v1/namespaces/wire/nothing"),
				get("get of a type that is not there", GROUP + "/v1/namespaces/wire/nothing/a"),
				get("list of a version that is not there", GROUP + "/v9/namespaces/wire/parts"),
				get("list of a group that is not there", "/apis/nothing.example.com/v1/parts"),
				get("list of another namespace", GROUP + "/v1/namespaces/empty/parts"),
				get("list as XML", PARTS, "application/xml"),
				get("list as protobuf or JSON", PARTS, "application/vnd.kubernetes.protobuf,application/json"),
				get("list as anything", PARTS, "*/*"), get("list as a table", PARTS, TABLE),
				get("get as XML", PARTS + "/a", "application/xml"),
				get("watch as XML", PARTS + "?watch=true&timeoutSeconds=1", "application/xml"),
				send("PUT to a collection", "PUT", PARTS, "application/json", "{}"),
				send("PATCH of a collection", "PATCH", PARTS, "application/merge-patch+json", "{}"),
				send("DELETE of a status", "DELETE", PARTS + "/a/status", "application/json", null),
				send("DELETE of a version", "DELETE", GROUP + "/v1", "application/json", null));
	}

	private static Stream<WireRequest> selectors() {
		Stream<WireRequest> labels = Stream
			.of("app=web", "app==web", "app!=web", "app%20in%20(web,db)", "app%20notin%20(web)", "tier", "!tier",
					"app=web,tier", "app=", "size%3E1", "app=a=b", "app%20in", "=web", ",", "app%20in%20()", "-app=web",
					"app=web%20db")
			.map((selector) -> list("labelSelector=" + selector));
		Stream<WireRequest> fields = Stream
			.of("metadata.name=a", "metadata.name==a", "metadata.name!=a", "metadata.namespace=wire", "spec.size=1",
					"metadata.name", "metadata.name=a,metadata.namespace=other", "=a")
			.map((selector) -> list("fieldSelector=" + selector));
		return Stream.concat(labels, fields);
	}

	/** All combinations, the senseless ones too (W-06, W-10). */
	private void lists() {
		for (String version : List.of("", "0", "${create b.version}", "${future}", "abc", "-1")) {
			for (String match : List.of("", "Exact", "NotOlderThan", "Newest")) {
				for (String limit : List.of("", "&limit=1")) {
					add(Stream.of(list("resourceVersion=" + version
							+ (match.isEmpty() ? "" : "&resourceVersionMatch=" + match) + limit)));
				}
			}
		}
	}

	private static Stream<WireRequest> pages() {
		String second = "limit=1&continue=${list ?limit=1.token}";
		return Stream.of(list(""), list("limit=1"), list("limit=100"), list("limit=1&labelSelector=app=web"),
				list("limit=1&allowWatchBookmarks=true"),
				post("create between pages", part("\"name\":\"bb\"", "\"size\":9")), list(second),
				list(second + "&resourceVersion=0"), list(second + "&resourceVersion=${create b.version}"),
				list(second + "&resourceVersion=abc"), list(second + "&resourceVersionMatch=Exact"),
				list(second + "&resourceVersionMatch=NotOlderThan&resourceVersion=0"),
				list("continue=${list ?limit=1.token}"), list("limit=1&continue=garbage"), list("limit=1&continue=e30"),
				list("limit=1&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NX0"),
				delete("delete between pages", PARTS + "/bb", null));
	}

	private static Stream<WireRequest> oddParameters() {
		return Stream
			.of("limit=-1", "limit=abc", "timeoutSeconds=1", "timeoutSeconds=abc", "sendInitialEvents=true",
					"sendInitialEvents=false", "sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
					"watch=false", "watch=0", "unknown=1", "pretty=false", "allowWatchBookmarks=abc",
					"resourceVersionMatch=Exact", "resourceVersionMatch=NotOlderThan")
			.map(WireRequest::list);
	}

	private static Stream<WireRequest> changes() {
		String a = PARTS + "/a";
		String fresh = part("\"name\":\"a\",\"resourceVersion\":\"${create a.version}\"", "\"size\":10");
		return Stream.of(put("put", a, fresh), put("put at an old version", a, fresh),
				put("put without a version", a, part("\"name\":\"a\"", "\"size\":11")),
				put("put of what is not there", PARTS + "/x", part("\"name\":\"x\"", "\"size\":1")),
				put("put of another name", a, part("\"name\":\"b\"", "\"size\":1")),
				put("put that changes nothing", a, fresh.replace("create a", "put")),
				put("put of the status", a + "/status",
						fresh.replace("create a", "put").replace("\"spec\"", "\"status\":{\"ready\":true},\"spec\"")),
				send("put in plain text", "PUT", a, "text/plain", fresh),
				patch("patch", a, "{\"metadata\":{\"labels\":{\"app\":\"web\",\"new\":\"yes\"}}}"),
				patch("patch that removes", a, "{\"metadata\":{\"labels\":{\"new\":null}},\"spec\":{\"size\":null}}"),
				patch("patch that changes nothing", a, "{\"spec\":{}}"),
				patch("patch at an old version", a,
						"{\"metadata\":{\"resourceVersion\":\"${create a.version}\"},\"spec\":{\"size\":12}}"),
				patch("patch of the status", a + "/status", "{\"status\":{\"ready\":false}}"),
				patch("patch of what is not there", PARTS + "/x", "{}"), patch("patch of no JSON", a, "{"),
				patch("patch of another kind", a, "{\"kind\":\"Whole\"}"),
				send("patch in plain text", "PATCH", a, "text/plain", "{}"),
				send("patch as JSON", "PATCH", a, "application/json", "{}"),
				send("strategic merge patch", "PATCH", a, "application/strategic-merge-patch+json", "{}"));
	}

	private static Stream<WireRequest> watches() {
		return Stream.concat(Stream
			.of("", "resourceVersion=", "resourceVersion=0", "resourceVersion=${create b.version}", "resourceVersion=1",
					"resourceVersion=${future}", "resourceVersion=abc", "allowWatchBookmarks=true",
					"resourceVersion=0&allowWatchBookmarks=true", "resourceVersion=1&allowWatchBookmarks=true",
					"resourceVersion=${create b.version}&allowWatchBookmarks=true",
					"resourceVersion=0&labelSelector=app=web", "resourceVersion=0&fieldSelector=metadata.name=a",
					"resourceVersion=${create b.version}&labelSelector=tier", "limit=1", "resourceVersion=0&limit=1")
			.map(WireRequest::watch),
				Stream.of(get("watch of all", ALL + "?watch=true&timeoutSeconds=1&resourceVersion=${put.version}"),
						get("watch=1", PARTS + "?watch=1&timeoutSeconds=1&resourceVersion=${patch.version}"),
						get("watch as a stream", PARTS + "?watch=1&timeoutSeconds=1&resourceVersion=${patch.version}",
								"application/json;stream=watch"),
						get("watch of one", PARTS + "/a?watch=true&timeoutSeconds=1"), get("watch as kubectl does",
								PARTS + "?watch=true&timeoutSeconds=1&resourceVersion=${patch.version}", TABLE)));
	}

	private static Stream<WireRequest> streamedLists() {
		return Stream
			.of("", "&resourceVersion=", "&resourceVersion=0", "&resourceVersion=${create b.version}",
					"&resourceVersion=1", "&resourceVersion=${future}", "&resourceVersion=abc", "&labelSelector=tier",
					"&fieldSelector=metadata.name=a")
			.flatMap((rest) -> Stream.of(watch(STREAM + rest),
					watch(STREAM.replace("Events=true", "Events=false") + rest),
					watch(STREAM.replace("&allowWatchBookmarks=true", "") + rest)));
	}

	private static Stream<WireRequest> illegalWatches() {
		return Stream
			.of("sendInitialEvents=true", "sendInitialEvents=false", "sendInitialEvents=true&allowWatchBookmarks=true",
					"sendInitialEvents=true&resourceVersionMatch=Exact&allowWatchBookmarks=true",
					"sendInitialEvents=true&resourceVersionMatch=Newest&allowWatchBookmarks=true",
					"resourceVersionMatch=NotOlderThan", "resourceVersionMatch=Exact",
					"resourceVersionMatch=NotOlderThan&resourceVersion=0", "continue=${list ?limit=1.token}",
					"resourceVersion=0&continue=garbage", STREAM + "&continue=garbage", "labelSelector=,",
					"fieldSelector=spec.size=1")
			.map(WireRequest::watch);
	}

	private static Stream<WireRequest> bigLists() {
		String other = GROUP + "/v1/namespaces/other/parts";
		return Stream.of(
				new WireRequest("big list that may be compressed", "GET", other,
						Map.of("Accept", "application/json", "Accept-Encoding", "gzip"), null),
				new WireRequest("big list that may not be compressed", "GET", other,
						Map.of("Accept", "application/json", "Accept-Encoding", "identity"), null),
				new WireRequest("small list that may be compressed", "GET", PARTS,
						Map.of("Accept", "application/json", "Accept-Encoding", "gzip"), null),
				new WireRequest("big object that may be compressed", "GET", other + "/a",
						Map.of("Accept", "application/json", "Accept-Encoding", "gzip"), null),
				new WireRequest("big watch that may be compressed", "GET", other + "?watch=true&timeoutSeconds=1",
						Map.of("Accept", "application/json", "Accept-Encoding", "gzip"), null));
	}

	/** Requests like those of a reflector that needs only metadata (W-59). */
	private static Stream<WireRequest> metadataOnly() {
		String page = PARTS + "?limit=1&continue=${metadata of the first page.token}";
		Stream<WireRequest> lists = Stream.of(get("metadata of all", ALL, METADATA_LIST),
				get("metadata of a list", PARTS, METADATA_LIST),
				get("metadata of any version", PARTS + "?resourceVersion=0&limit=500", METADATA_LIST),
				get("metadata of a version",
						PARTS + "?resourceVersion=${create b.version}&resourceVersionMatch=NotOlderThan",
						METADATA_LIST),
				get("metadata of a version to come", PARTS + "?resourceVersion=${future}", METADATA_LIST),
				get("metadata of the first page", PARTS + "?limit=1", METADATA_LIST),
				get("metadata of the second page", page, METADATA_LIST),
				get("metadata by a label", PARTS + "?labelSelector=app=web&limit=1", METADATA_LIST),
				get("metadata by a name", PARTS + "?fieldSelector=metadata.name=a", METADATA_LIST),
				get("metadata of nothing", GROUP + "/v1/namespaces/empty/parts", METADATA_LIST),
				get("metadata of a type that is not there", GROUP + "/v1/nothing", METADATA_LIST),
				get("metadata of an illegal list", PARTS + "?resourceVersionMatch=Exact", METADATA_LIST),
				get("metadata and nothing else", PARTS, METADATA_LIST.split(",")[0]),
				get("metadata of a list, asked for as of an object", PARTS, METADATA),
				get("metadata of an object", PARTS + "/a", METADATA));
		Stream<WireRequest> watches = Stream
			.of("", "&resourceVersion=0", "&resourceVersion=${create b.version}", "&resourceVersion=1",
					"&resourceVersion=${future}", "&resourceVersion=0&allowWatchBookmarks=true",
					"&resourceVersion=0&labelSelector=app=web", "&" + STREAM, "&resourceVersion=0&" + STREAM,
					"&resourceVersion=1&" + STREAM, "&resourceVersion=${future}&" + STREAM, "&sendInitialEvents=true")
			.map((query) -> get("metadata watch ?" + query, PARTS + "?watch=true&timeoutSeconds=1" + query, METADATA));
		return Stream.concat(lists, watches);
	}

	private static Stream<WireRequest> clusterScoped() {
		String plan = part("\"name\":\"a\",\"labels\":{\"app\":\"web\"}", "\"size\":1").replace("Part", "Plan");
		return Stream.of(send("create a plan", "POST", PLANS, "application/json", plan),
				send("create a plan in a namespace", "POST", PLANS, "application/json",
						plan.replace("\"name\":\"a\"", "\"name\":\"b\",\"namespace\":\"wire\"")),
				send("create a plan below a namespace", "POST", GROUP + "/v1/namespaces/wire/plans", "application/json",
						plan),
				get("list of plans", PLANS),
				get("list of plans below a namespace", GROUP + "/v1/namespaces/wire/plans"),
				get("list of plans by a namespace", PLANS + "?fieldSelector=metadata.namespace=wire"),
				get("first page of plans", PLANS + "?limit=1"), get("metadata of plans", PLANS, METADATA_LIST),
				get("get of a plan", PLANS + "/a"), get("get of a plan that is not there", PLANS + "/x"),
				get("get of a plan below a namespace", GROUP + "/v1/namespaces/wire/plans/a"),
				get("watch of plans", PLANS + "?watch=true&timeoutSeconds=1&resourceVersion=0"),
				get("streamed list of plans", PLANS + "?watch=true&timeoutSeconds=1&" + STREAM),
				patch("patch of a plan", PLANS + "/a", "{\"spec\":{\"size\":2}}"),
				patch("patch of a plan with a namespace", PLANS + "/a", "{\"metadata\":{\"namespace\":\"wire\"}}"),
				delete("delete a plan that is not there", PLANS + "/x", null),
				delete("delete a plan", PLANS + "/a", null), get("list of no plans", PLANS));
	}

	/** The events of watches for writes while they are open. */
	private static Stream<WireRequest> liveEvents() {
		String now = PARTS + "?resourceVersion=${list before live events.version}";
		String live = PARTS + "/live";
		return Stream.of(get("list before live events", PARTS),
				WireRequest.live("live events", now, "application/json", 5),
				WireRequest.live("live events by a label", now + "&labelSelector=app=web", "application/json", 4),
				WireRequest.live("live events of one", now + "&fieldSelector=metadata.name=live", "application/json",
						5),
				WireRequest.live("live events of all namespaces", now.replace(PARTS, ALL), "application/json", 5),
				WireRequest.live("live metadata", now, METADATA, 5),
				WireRequest.live("live metadata by a label", now + "&labelSelector=app=web", METADATA, 4),
				WireRequest.live("live events after a streamed list",
						PARTS + "?fieldSelector=metadata.name=live&" + STREAM, "application/json", 6),
				WireRequest.live("live metadata after a streamed list",
						PARTS + "?fieldSelector=metadata.name=live&" + STREAM, METADATA, 6),
				post("create live", part("\"name\":\"live\",\"labels\":{\"app\":\"web\"}", "\"size\":1")),
				patch("change live", live, "{\"spec\":{\"size\":2}}"),
				patch("change nothing live", live, "{\"spec\":{\"size\":2}}"),
				patch("leave the label live", live, "{\"metadata\":{\"labels\":{\"app\":\"db\"}}}"),
				patch("come back to the label live", live, "{\"metadata\":{\"labels\":{\"app\":\"web\"}}}"),
				delete("delete live", live, null));
	}

	private static Stream<WireRequest> deletions() {
		return Stream.of(
				delete("delete at another UID", PARTS + "/c",
						"{\"preconditions\":{\"uid\":\"00000000-0000-0000-0000-000000000000\"}}"),
				delete("delete at an old version", PARTS + "/a",
						"{\"preconditions\":{\"resourceVersion\":\"${create a.version}\"}}"),
				delete("delete as kubectl does", PARTS + "/c",
						"{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"propagationPolicy\":\"Background\"}"),
				delete("delete again", PARTS + "/c", null), delete("delete without options", PARTS + "/b", null),
				delete("delete of no JSON", PARTS + "/a", "{"),
				delete("delete what is to be finalized", PARTS + "/z", null),
				get("get what is being deleted", PARTS + "/z"),
				delete("delete what is being deleted", PARTS + "/z", null),
				patch("patch that finalizes", PARTS + "/z", "{\"metadata\":{\"finalizers\":null}}"),
				get("get what is finalized", PARTS + "/z"),
				delete("delete a collection by a label", PARTS + "?labelSelector=app=none", null),
				delete("delete a collection", PARTS, null), list("resourceVersion=&limit=5"),
				delete("delete the collection of all", ALL, null),
				post("create what is to be patched", part("\"name\":\"p\",\"labels\":{\"app\":\"web\"}", "\"size\":5")),
				send("JSON patch", "PATCH", PARTS + "/p", "application/json-patch+json",
						"[{\"op\":\"add\",\"path\":\"/metadata/labels/x\",\"value\":\"y\"}]"),
				send("apply patch", "PATCH", PARTS + "/p?fieldManager=wire&force=true", "application/apply-patch+yaml",
						part("\"name\":\"p\",\"labels\":{\"x\":\"z\"}", "")));
	}

}
