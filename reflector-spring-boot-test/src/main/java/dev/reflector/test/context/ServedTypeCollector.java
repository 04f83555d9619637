package dev.reflector.test.context;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.reflector.ResourceType;

/**
 * Collects the types that the embedded server should serve: the types that a test
 * declares, and all other types that the application mirrors.
 */
final class ServedTypeCollector {

	/** Well-known types that do not live in namespaces, by group and kind. */
	private static final Set<String> CLUSTER_SCOPED = Set.of("/ComponentStatus", "/Namespace", "/Node",
			"/PersistentVolume", "admissionregistration.k8s.io/MutatingAdmissionPolicy",
			"admissionregistration.k8s.io/MutatingAdmissionPolicyBinding",
			"admissionregistration.k8s.io/MutatingWebhookConfiguration",
			"admissionregistration.k8s.io/ValidatingAdmissionPolicy",
			"admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
			"admissionregistration.k8s.io/ValidatingWebhookConfiguration",
			"apiextensions.k8s.io/CustomResourceDefinition", "apiregistration.k8s.io/APIService",
			"certificates.k8s.io/CertificateSigningRequest", "certificates.k8s.io/ClusterTrustBundle",
			"flowcontrol.apiserver.k8s.io/FlowSchema", "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration",
			"networking.k8s.io/IPAddress", "networking.k8s.io/IngressClass", "networking.k8s.io/ServiceCIDR",
			"node.k8s.io/RuntimeClass", "rbac.authorization.k8s.io/ClusterRole",
			"rbac.authorization.k8s.io/ClusterRoleBinding", "resource.k8s.io/DeviceClass",
			"resource.k8s.io/DeviceTaintRule", "resource.k8s.io/ResourceSlice", "scheduling.k8s.io/PriorityClass",
			"storage.k8s.io/CSIDriver", "storage.k8s.io/CSINode", "storage.k8s.io/StorageClass",
			"storage.k8s.io/VolumeAttachment", "storage.k8s.io/VolumeAttributesClass",
			"storagemigration.k8s.io/StorageVersionMigration");

	private final List<TestKitSettings.Type> types;

	ServedTypeCollector(List<TestKitSettings.Type> declared) {
		this.types = new ArrayList<>(declared);
	}

	void derive(ResourceType mirrored) {
		boolean known = this.types.stream()
			.anyMatch((type) -> type.apiVersion().equals(mirrored.apiVersion()) && type.kind().equals(mirrored.kind()));
		if (!known) {
			this.types.add(new TestKitSettings.Type(mirrored.apiVersion(), mirrored.kind(),
					Objects.requireNonNull(mirrored.plural()),
					!CLUSTER_SCOPED.contains(mirrored.group() + "/" + mirrored.kind())));
		}
	}

	List<TestKitSettings.Type> list() {
		return List.copyOf(this.types);
	}

}
