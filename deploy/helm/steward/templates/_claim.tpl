{{/* The claim of a volume. Takes its size and its class. */}}
{{- define "steward.claim" -}}
accessModes: [ReadWriteOnce]
{{- with .storageClassName }}
storageClassName: {{ . }}
{{- end }}
resources:
  requests:
    storage: {{ .size }}
{{- end -}}
