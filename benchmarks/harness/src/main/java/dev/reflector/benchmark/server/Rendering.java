package dev.reflector.benchmark.server;

import java.util.Locale;
import java.util.Random;

/**
 * Writes the JSON text of objects. The same number gives the same text in every process.
 */
final class Rendering {

	/** Pods with the same owner, whose id is in names of managed fields. */
	private static final int REPLICAS = 8;

	static final String VERSION = "0000000000";

	static final String STAMP = "0000000000000000000";

	private static final String[] IMAGES = { "registry.example.com/shop/cart", "registry.example.com/shop/checkout",
			"registry.example.com/shop/catalog", "registry.example.com/shop/search" };

	private static final String FIELDS = "{\"f:metadata\":{\"f:annotations\":{\".\":{},\"f:checksum/config\":{}},"
			+ "\"f:labels\":{\".\":{},\"f:app\":{},\"f:pod-template-hash\":{},\"f:tier\":{}},\"f:ownerReferences\":"
			+ "{\".\":{},\"k:{\\\"uid\\\":\\\"%s\\\"}\":{}}},\"f:spec\":{\"f:containers\":{\"k:{\\\"name\\\":"
			+ "\\\"app\\\"}\":{\".\":{},\"f:env\":{},\"f:image\":{},\"f:imagePullPolicy\":{},\"f:livenessProbe\":{},"
			+ "\"f:name\":{},\"f:ports\":{},\"f:readinessProbe\":{},\"f:resources\":{},\"f:volumeMounts\":{}}},"
			+ "\"f:dnsPolicy\":{},\"f:nodeName\":{},\"f:restartPolicy\":{},\"f:schedulerName\":{},\"f:volumes\":{}}}";

	private final Random random;

	private final StringBuilder text = new StringBuilder(8192);

	private final int number;

	Rendering(int number) {
		this.number = number;
		this.random = new Random(number);
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

	private String hex(int digits) {
		return hex(this.random, digits);
	}

	private static String hex(Random random, int digits) {
		StringBuilder hex = new StringBuilder();
		while (hex.length() < digits) {
			hex.append(Character.forDigit(random.nextInt(16), 16));
		}
		return hex.toString();
	}

	private static String uid(Random random) {
		return hex(random, 8) + "-" + hex(random, 4) + "-" + hex(random, 4) + "-" + hex(random, 4) + "-"
				+ hex(random, 12);
	}

	/**
	 * A pod of a deployment: what a cluster adds to it is most of it.
	 * @param size about how many bytes it should have; it is never less than what it
	 * needs
	 * @return the members of the object after its type, with the closing brace
	 */
	String pod(int size) {
		int replicaSet = this.number / REPLICAS;
		String app = "app-" + replicaSet % 40;
		Random shared = new Random(-1 - replicaSet);
		metadata(app, hex(shared, 10), uid(shared));
		podSpec(app);
		String status = podStatus();
		for (int i = 0; this.text.length() + status.length() < size - 30; i++) {
			this.text.append(format("%s{\"name\":\"SETTING_%d\",\"value\":\"%s\"}", (i == 0) ? "" : ",", i, hex(24)));
		}
		this.text.append("]}]},").append(status);
		return this.text.toString();
	}

	private void metadata(String app, String hash, String owner) {
		this.text.append(format("\"metadata\":{\"name\":\"%s-%s-%05d\",\"generateName\":\"%s-%s-\",", app, hash,
				this.number, app, hash));
		this.text.append(format("\"namespace\":\"team-%d\",\"uid\":\"%s\",\"resourceVersion\":\"%s\",",
				this.number % 20, uid(this.random), VERSION));
		this.text.append("\"creationTimestamp\":\"2026-05-04T10:11:12Z\",");
		this.text.append(format("\"labels\":{\"app\":\"%s\",\"pod-template-hash\":\"%s\",\"tier\":\"%s\"},", app, hash,
				(this.number % 3 == 0) ? "frontend" : "backend"));
		this.text.append(format("\"annotations\":{\"checksum/config\":\"%s\"},", hex(64)));
		this.text.append(format(
				"\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"name\":"
						+ "\"%s-%s\",\"uid\":\"%s\",\"controller\":true,\"blockOwnerDeletion\":true}],",
				app, hash, owner));
		this.text.append("\"managedFields\":[");
		for (String manager : new String[] { "kube-controller-manager", "kubelet" }) {
			this.text.append(format(
					"%s{\"manager\":\"%s\",\"operation\":\"Update\",\"apiVersion\":\"v1\","
							+ "\"time\":\"2026-05-04T10:11:12Z\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":%s}",
					manager.equals("kubelet") ? "," : "", manager, format(FIELDS, owner)));
		}
		this.text.append("]},");
	}

	private void podSpec(String app) {
		this.text.append(format("\"spec\":{\"nodeName\":\"node-%03d\",\"restartPolicy\":\"Always\","
				+ "\"dnsPolicy\":\"ClusterFirst\",\"serviceAccountName\":\"%s\",\"schedulerName\":"
				+ "\"default-scheduler\",\"priority\":0,\"enableServiceLinks\":true,", this.number % 200, app));
		this.text.append("\"tolerations\":[{\"key\":\"node.kubernetes.io/not-ready\",\"operator\":\"Exists\","
				+ "\"effect\":\"NoExecute\",\"tolerationSeconds\":300},{\"key\":\"node.kubernetes.io/unreachable\","
				+ "\"operator\":\"Exists\",\"effect\":\"NoExecute\",\"tolerationSeconds\":300}],");
		this.text.append("\"volumes\":[{\"name\":\"config\",\"configMap\":{\"name\":\"").append(app);
		this.text.append("\",\"defaultMode\":420}},{\"name\":\"token\",\"projected\":{\"sources\":"
				+ "[{\"serviceAccountToken\":{\"expirationSeconds\":3607,\"path\":\"token\"}}],\"defaultMode\":420}}],");
		this.text.append(format("\"containers\":[{\"name\":\"app\",\"image\":\"%s:1.%d\",", IMAGES[this.number % 4],
				this.number % 17));
		this.text.append("\"imagePullPolicy\":\"IfNotPresent\",\"ports\":[{\"name\":\"http\",\"containerPort\":8080,"
				+ "\"protocol\":\"TCP\"}],\"resources\":{\"limits\":{\"cpu\":\"1\",\"memory\":\"512Mi\"},\"requests\":"
				+ "{\"cpu\":\"100m\",\"memory\":\"256Mi\"}},\"volumeMounts\":[{\"name\":\"config\",\"mountPath\":"
				+ "\"/etc/app\"},{\"name\":\"token\",\"readOnly\":true,\"mountPath\":\"/var/run/secrets/token\"}],");
		this.text.append("\"livenessProbe\":{\"httpGet\":{\"path\":\"/livez\",\"port\":8080,\"scheme\":\"HTTP\"},"
				+ "\"periodSeconds\":10,\"timeoutSeconds\":1,\"failureThreshold\":3},\"env\":[");
	}

	private String podStatus() {
		StringBuilder status = new StringBuilder("\"status\":{\"phase\":\"Running\",\"message\":\"");
		status.append(STAMP).append("\",\"conditions\":[");
		for (String type : new String[] { "Initialized", "Ready", "ContainersReady", "PodScheduled" }) {
			status.append(
					format("%s{\"type\":\"%s\",\"status\":\"True\",\"lastTransitionTime\":\"2026-05-04T10:12:13Z\"}",
							type.equals("Initialized") ? "" : ",", type));
		}
		String ip = format("10.%d.%d.%d", this.number / 65536, this.number / 256 % 256, this.number % 256);
		status.append(format("],\"hostIP\":\"192.0.2.%d\",\"podIP\":\"%s\",\"podIPs\":[{\"ip\":\"%s\"}],",
				this.number % 200, ip, ip));
		status.append("\"startTime\":\"2026-05-04T10:11:12Z\",\"qosClass\":\"Burstable\",\"containerStatuses\":"
				+ "[{\"name\":\"app\",\"ready\":true,\"restartCount\":0,\"started\":true,");
		status.append(format("\"image\":\"%s:1.%d\",\"imageID\":\"%s@sha256:%s\",\"containerID\":\"containerd://%s\",",
				IMAGES[this.number % 4], this.number % 17, IMAGES[this.number % 4], hex(64), hex(64)));
		status.append("\"state\":{\"running\":{\"startedAt\":\"2026-05-04T10:11:14Z\"}},\"lastState\":{}}]}}");
		return status.toString();
	}

	/**
	 * A small custom resource.
	 * @param size about how many bytes it should have
	 * @return the members of the object after its type, with the closing brace
	 */
	String widget(int size) {
		this.text.append(format("\"metadata\":{\"name\":\"widget-%05d\",\"namespace\":\"team-%d\",\"uid\":\"%s\",",
				this.number, this.number % 20, uid(this.random)));
		this.text.append(format(
				"\"resourceVersion\":\"%s\",\"generation\":1,\"creationTimestamp\":"
						+ "\"2026-05-04T10:11:12Z\",\"labels\":{\"app\":\"app-%d\",\"tier\":\"backend\"}},",
				VERSION, this.number % 40));
		this.text.append(format("\"spec\":{\"nodeName\":\"node-%03d\",\"settings\":[", this.number % 200));
		for (int i = 0; this.text.length() < size - 130; i++) {
			this.text.append(format("%s{\"key\":\"setting-%d\",\"value\":\"%s\"}", (i == 0) ? "" : ",", i, hex(16)));
		}
		this.text.append(format("]},\"status\":{\"phase\":\"Running\",\"message\":\"%s\",\"podIP\":\"10.0.0.%d\"}}",
				STAMP, this.number % 256));
		return this.text.toString();
	}

}
