{{/* No container gains rights or writes outside of its volumes. */}}
{{- define "steward.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Takes the user's id. */}}
{{- define "steward.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* Takes the root. */}}
{{- define "steward.pullSecrets" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Where pods run. Takes the root, the values of the pods and the component. */}}
{{- define "steward.scheduling" -}}
{{- $selector := dict "matchLabels" (fromYaml (include "steward.selectorLabels" .)) -}}
{{- with .pods.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .pods.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pods.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pods.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  {{- range .pods.topologySpreadConstraints }}
  - {{- toYaml (merge (dict) . (dict "labelSelector" $selector)) | nindent 4 }}
  {{- else }}
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      {{- toYaml $selector | nindent 6 }}
  {{- end }}
  {{- end }}
{{- end -}}

{{/* What names the settings and the files. Takes the root and the component. */}}
{{- define "steward.environment" -}}
{{- $root := .root -}}
env:
  - name: STEWARD_CONFIG
    value: /etc/steward/steward.yaml
  # The image has a value for all IPv4 addresses, which the file could not replace.
  - name: STEWARD_HOST
    value: {{ dig "server" "host" "0.0.0.0" $root.Values.settings | quote }}
  {{- range fromJsonArray (include "steward.secretFiles" .) }}
  {{- if and .setting (not (contains "." .setting)) }}
  - name: {{ .setting }}
    value: {{ include "steward.secretsPath" $root }}/{{ .file }}
  {{- end }}
  {{- end }}
{{- end -}}

{{/* Where a container has the settings, the secrets and the data. Takes the root and the component. */}}
{{- define "steward.mounts" -}}
{{- $root := .root -}}
- name: settings
  mountPath: /etc/steward
  readOnly: true
{{- if ne (include "steward.secretFiles" .) "[]" }}
- name: secrets
  mountPath: {{ include "steward.secretsPath" $root }}
  readOnly: true
{{- end }}
- name: tmp
  mountPath: /tmp
{{- if eq .component "all-in-one" }}
- name: data
  mountPath: /data
{{- end }}
{{- end -}}

{{/* The volumes of these, without that of the data. Takes the root and the component. */}}
{{- define "steward.volumes" -}}
{{- $root := .root -}}
{{- $files := fromJsonArray (include "steward.secretFiles" .) -}}
- name: settings
  configMap:
    name: {{ include "steward.fullname" $root }}-{{ .component }}
{{- if $files }}
- name: secrets
  projected:
    # The group of the process may read.
    defaultMode: 0440
    sources:
      {{- range $files }}
      - secret:
          name: {{ .secret }}
          items:
            - key: {{ .key }}
              path: {{ .file }}
      {{- end }}
{{- end }}
- name: tmp
  emptyDir: {}
{{- end -}}

{{/* The template of the pods of a process. Takes the root, the process, the component and the values of the pods. */}}
{{- define "steward.podTemplate" -}}
{{- $root := .root -}}
metadata:
  labels:
    {{- include "steward.selectorLabels" . | nindent 4 }}
    {{- range $key, $value := merge (dict) .pods.podLabels $root.Values.commonLabels }}
    {{ $key }}: {{ $value | quote }}
    {{- end }}
  annotations:
    # Changed settings and new generated secrets replace the pods.
    checksum/settings: {{ include "steward.settings" . | sha256sum }}
    checksum/secrets: {{ include "steward.secretFiles" . | sha256sum }}
    {{- range $key, $value := merge (dict) .pods.podAnnotations $root.Values.commonAnnotations }}
    {{ $key }}: {{ $value | quote }}
    {{- end }}
spec:
  serviceAccountName: {{ include "steward.serviceAccountName" $root }}
  automountServiceAccountToken: false
  # Kubernetes would set STEWARD_PORT for a Service that is named steward.
  enableServiceLinks: false
  {{- include "steward.pullSecrets" $root | nindent 2 }}
  securityContext:
    {{- include "steward.podSecurity" 1000 | nindent 4 }}
  # The pause before SIGTERM, the 20 s of a drain, and some.
  terminationGracePeriodSeconds: 30
  {{- include "steward.scheduling" . | nindent 2 }}
  containers:
    - name: steward
      image: {{ include "steward.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args: [{{ ternary "serve" .component (has .component (list "all-in-one" "server")) }}]
      {{- include "steward.environment" . | nindent 6 }}
      ports:
        - name: {{ ternary "http" "grpc" (has .component (list "gateway" "all-in-one" "server")) }}
          containerPort: 8008
        - name: metrics
          containerPort: 8009
      # Migrations of the data and new indexes may take minutes at the first start of a release, and keep the process busy.
      startupProbe:
        httpGet:
          path: /health/ready
          port: metrics
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 900
      readinessProbe:
        httpGet:
          path: /health/ready
          port: metrics
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      livenessProbe:
        httpGet:
          path: /health/live
          port: metrics
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      lifecycle:
        preStop:
          # Until proxies and other processes have noticed that this instance ends.
          sleep:
            seconds: 5
      resources:
        {{- toYaml .pods.resources | nindent 8 }}
      securityContext:
        {{- include "steward.containerSecurity" $root | nindent 8 }}
      volumeMounts:
        {{- include "steward.mounts" . | nindent 8 }}
  volumes:
    {{- include "steward.volumes" . | nindent 4 }}
{{- end -}}
