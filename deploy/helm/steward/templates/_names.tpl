{{/* The value of app.kubernetes.io/name. */}}
{{- define "steward.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* What the names of all objects begin with; short enough for the longest suffix and for the hash of a pod. */}}
{{- define "steward.fullname" -}}
{{- $name := include "steward.name" . -}}
{{- $default := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- default $default .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* The processes, as a JSON list: names of values, which `steward.component` writes as components. */}}
{{- define "steward.processes" -}}
{{- if eq .Values.mode "one-process" -}}
["allInOne"]
{{- else if eq .Values.mode "servers" -}}
["server"]
{{- else -}}
["gateway", "user", "room", "media", "moderation"]
{{- end -}}
{{- end -}}

{{/* The label of a process, and its command in the image. */}}
{{- define "steward.component" -}}
{{- kebabcase . -}}
{{- end -}}

{{/* The component that clients connect to. */}}
{{- define "steward.entry" -}}
{{- get (dict "one-process" "all-in-one" "servers" "server" "services" "gateway") .Values.mode -}}
{{- end -}}

{{/* Labels by which objects are selected. Takes the root and a component. */}}
{{- define "steward.selectorLabels" -}}
app.kubernetes.io/name: {{ include "steward.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{/* Name, labels and annotations of an object. Takes the root, a component, the suffix of the name, and further labels and
     annotations. */}}
{{- define "steward.metadata" -}}
name: {{ include "steward.fullname" .root }}{{ with .suffix }}-{{ . }}{{ end }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "steward.selectorLabels" . | nindent 2 }}
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .root.Release.Service }}
  helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
  {{- range $key, $value := merge (dict) (default dict .labels) .root.Values.commonLabels }}
  {{ $key }}: {{ $value | quote }}
  {{- end }}
{{- with merge (dict) (default dict .annotations) .root.Values.commonAnnotations }}
annotations:
  {{- range $key, $value := . }}
  {{ $key }}: {{ $value | quote }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* The values of a process: `defaults`, then its own. Takes the root and the name of the process. */}}
{{- define "steward.pods" -}}
{{- toJson (mergeOverwrite (deepCopy .root.Values.defaults) (deepCopy (index .root.Values .process))) -}}
{{- end -}}

{{- define "steward.serviceAccountName" -}}
{{- default (ternary (include "steward.fullname" .) "default" .Values.serviceAccount.create) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "steward.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ default .Chart.AppVersion $image.tag }}
{{- end -}}
{{- end -}}
