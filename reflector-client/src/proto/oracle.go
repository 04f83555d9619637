// Writes the objects against which protobuf is tested, with the encoders of Kubernetes itself: of every type that the
// client-go scheme or the API of custom resource definitions can list, one object with nothing set, one with everything
// set, and some with a part of it; each in protobuf and in JSON. Then lists, a watch and a failure as a server frames them.
//
//	go run oracle.go | gzip -9n > reflector-client/src/test/resources/kubernetes-objects.bin.gz
//
// Needs k8s.io/client-go and k8s.io/apiextensions-apiserver, and what they need. Records are: a name, protobuf, JSON; each
// with its length in front, in four bytes, the highest first. No build runs this: its output is committed.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand"
	"os"
	"reflect"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/util/framer"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
)

type filler struct {
	random *rand.Rand
	share  float64
	count  int64
}

// fill sets a part of the fields of a value, all of them when the share is 1.
func (f *filler) fill(v reflect.Value, schemas int) {
	switch value := v.Addr().Interface().(type) {
	case *metav1.TypeMeta:
		return
	case *metav1.Time:
		*value = metav1.NewTime(time.Unix(f.next()*86413-1000000000, 0).UTC())
		return
	case *metav1.MicroTime:
		*value = metav1.NewMicroTime(time.Unix(f.next()*86413, f.next()*1000*7).UTC())
		return
	case *resource.Quantity:
		*value = []resource.Quantity{resource.MustParse("100m"), resource.MustParse("1.5Gi"), {}, resource.MustParse("-3e6")}[f.next()%4]
		return
	case *intstr.IntOrString:
		*value = []intstr.IntOrString{intstr.FromInt32(int32(f.next())), intstr.FromString("http"), intstr.FromInt32(0), intstr.FromString("")}[f.next()%4]
		return
	case *metav1.FieldsV1:
		value.Raw = []byte(`{"f:metadata":{"f:labels":{".":{},"f:a":{}}}}`)
		return
	case *runtime.RawExtension:
		value.Raw = []byte(fmt.Sprintf(`{"kind":"Any","n":[%d,"}"]}`, f.next()))
		return
	case *apiextensionsv1.JSON:
		value.Raw = [][]byte{[]byte(`7`), []byte(`"text"`), []byte(`{"a":[true,null]}`), []byte(`false`)}[f.next()%4]
		return
	case *apiextensionsv1.JSONSchemaPropsOrBool:
		if value.Allows = f.next()%2 == 0; !value.Allows && schemas > 0 {
			value.Schema = &apiextensionsv1.JSONSchemaProps{Type: "string"}
		}
		return
	case *apiextensionsv1.JSONSchemaPropsOrArray:
		if f.next()%2 == 0 {
			value.Schema = &apiextensionsv1.JSONSchemaProps{Type: "array"}
		} else {
			value.JSONSchemas = []apiextensionsv1.JSONSchemaProps{{Type: "number"}, {}}
		}
		return
	case *apiextensionsv1.JSONSchemaPropsOrStringArray:
		if f.next()%2 == 0 {
			value.Schema = &apiextensionsv1.JSONSchemaProps{Title: "t"}
		} else {
			value.Property = []string{"p", ""}
		}
		return
	case *apiextensionsv1.JSONSchemaProps:
		if schemas--; schemas < 0 {
			return
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			if v.Type().Field(i).IsExported() && f.taken() {
				f.fill(v.Field(i), schemas)
			}
		}
	case reflect.Pointer:
		if v.Type().Elem() == reflect.TypeFor[apiextensionsv1.JSONSchemaProps]() && schemas <= 0 {
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		if f.taken() {
			f.fill(v.Elem(), schemas)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(fmt.Sprintf("\x00\xff%d", f.next())))
			return
		}
		if v.Type().Elem() == reflect.TypeFor[apiextensionsv1.JSONSchemaProps]() && schemas <= 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := 0; i < 2; i++ {
			if f.taken() {
				f.fill(v.Index(i), schemas)
			}
		}
	case reflect.Map:
		if v.Type().Elem() == reflect.TypeFor[apiextensionsv1.JSONSchemaProps]() && schemas <= 0 {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for i := 0; i < 2; i++ {
			key, element := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			key.SetString(fmt.Sprintf("k%d/ä\"%d", f.next()%10, i))
			if f.taken() {
				f.fill(element, schemas)
			}
			v.SetMapIndex(key, element)
		}
	case reflect.String:
		v.SetString([]string{"a", "Ünï\n", "true", "x-1"}[f.next()%4])
	case reflect.Bool:
		v.SetBool(f.share == 1 || f.next()%2 == 0)
	case reflect.Int32, reflect.Int64:
		v.SetInt([]int64{1, 80, -1, 2147483647, 300}[f.next()%5])
	case reflect.Float64:
		v.SetFloat([]float64{0.5, 1, -1e21, 3.25}[f.next()%4])
	default:
		panic(v.Type().String())
	}
}

func (f *filler) next() int64 { f.count++; return f.count }

func (f *filler) taken() bool { return f.share == 1 || f.random.Float64() < f.share }

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func record(parts ...[]byte) {
	for _, part := range parts {
		check(binary.Write(os.Stdout, binary.BigEndian, uint32(len(part))))
		_, err := os.Stdout.Write(part)
		check(err)
	}
}

func main() {
	check(apiextensionsv1.AddToScheme(scheme.Scheme))
	proto := protobuf.NewSerializerWithOptions(scheme.Scheme, scheme.Scheme, protobuf.SerializerOptions{StreamingCollectionsEncoding: true})
	text := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, json.SerializerOptions{})
	encode := func(encoder runtime.Encoder, object runtime.Object) []byte {
		var out bytes.Buffer
		check(encoder.Encode(object, &out))
		return out.Bytes()
	}
	kinds := scheme.Scheme.AllKnownTypes()
	var names []schema.GroupVersionKind
	for kind := range kinds {
		stable := kind.Version == "v1" || kind.Version == "v2"
		object, err := scheme.Scheme.New(kind)
		check(err)
		_, named := object.(metav1.Object)
		if _, listed := kinds[kind.GroupVersion().WithKind(kind.Kind+"List")]; listed && stable && named {
			names = append(names, kind)
		}
	}
	sort.Slice(names, func(i, j int) bool { return names[i].String() < names[j].String() })
	// what a server has read from its store: empty lists have become none
	stored := func(object runtime.Object) runtime.Object {
		read, _, err := proto.Decode(encode(proto, object), nil, nil)
		check(err)
		return read
	}
	for _, kind := range names {
		for i, share := range []float64{0, 1, 0.6} {
			object, err := scheme.Scheme.New(kind)
			check(err)
			object.GetObjectKind().SetGroupVersionKind(kind)
			if share > 0 {
				f := &filler{rand.New(rand.NewSource(int64(i))), share, int64(i)}
				f.fill(reflect.ValueOf(object).Elem(), 2)
			}
			object = stored(object)
			object.GetObjectKind().SetGroupVersionKind(kind)
			name := fmt.Sprintf("%s %s %v", kind.GroupVersion(), kind.Kind, share)
			record([]byte(name), encode(proto, object), encode(text, object))
		}
	}
	pods := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "9", Continue: "more", RemainingItemCount: new(int64)}}
	for i := 0; i < 3; i++ {
		pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("p%d", i), Namespace: "ns", UID: "u", ResourceVersion: fmt.Sprint(i + 1)}}
		pod.Spec.NodeName = "node"
		pod.Status.Phase = corev1.PodRunning
		pods.Items = append(pods.Items, pod)
	}
	pods.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "PodList"})
	record([]byte("list"), encode(proto, pods), encode(text, pods))
	none := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "9"}}
	none.SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "PodList"})
	record([]byte("empty list"), encode(proto, none), encode(text, none))
	partial := &metav1.PartialObjectMetadataList{ListMeta: metav1.ListMeta{ResourceVersion: "9"}, Items: []metav1.PartialObjectMetadata{{ObjectMeta: pods.Items[0].ObjectMeta}}}
	partial.SetGroupVersionKind(schema.GroupVersionKind{Group: "meta.k8s.io", Version: "v1", Kind: "PartialObjectMetadataList"})
	record([]byte("metadata"), encode(proto, partial), encode(text, partial))
	var frames, lines bytes.Buffer
	events := streaming.NewEncoder(framer.NewLengthDelimitedFrameWriter(&frames), protobuf.NewRawSerializer(scheme.Scheme, scheme.Scheme))
	event := func(kind string, object runtime.Object, gvk schema.GroupVersionKind) {
		object.GetObjectKind().SetGroupVersionKind(gvk)
		check(events.Encode(&metav1.WatchEvent{Type: kind, Object: runtime.RawExtension{Raw: encode(proto, object)}}))
		_, err := io.WriteString(&lines, fmt.Sprintf("{\"type\":%q,\"object\":%s}\n", kind, bytes.TrimSpace(encode(text, object))))
		check(err)
	}
	pod := schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
	event("ADDED", &pods.Items[0], pod)
	event("MODIFIED", &pods.Items[1], pod)
	event("DELETED", &pods.Items[2], pod)
	event("BOOKMARK", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "12"}}, pod)
	event("BOOKMARK", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "13", Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"}}}, pod)
	event("ADDED", &partial.Items[0], schema.GroupVersionKind{Group: "meta.k8s.io", Version: "v1", Kind: "PartialObjectMetadata"})
	status := &metav1.Status{Status: "Failure", Code: 410, Reason: metav1.StatusReasonExpired, Message: "too old", Details: &metav1.StatusDetails{RetryAfterSeconds: 3, Causes: []metav1.StatusCause{{Type: "T", Message: "m", Field: "f"}}}}
	event("ERROR", status, schema.GroupVersionKind{Version: "v1", Kind: "Status"})
	record([]byte("watch"), frames.Bytes(), lines.Bytes())
	record([]byte("failure"), encode(proto, status), encode(text, status))
}
