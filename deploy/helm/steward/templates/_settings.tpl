{{/* Where the files of secrets are in a container. */}}
{{- define "steward.secretsPath" -}}/run/secrets/steward{{- end -}}

{{/* The database and the broker as the settings name them. */}}
{{- define "steward.storeUrl" -}}
{{- if .Values.mongodb.bundled -}}
mongodb://{{ include "steward.fullname" . }}-mongodb:27017/steward?replicaSet=steward&authSource=admin
{{- else -}}
{{ required "mongodb.url is required without mongodb.bundled" .Values.mongodb.url }}
{{- end -}}
{{- end -}}

{{- define "steward.natsUrl" -}}
{{- if .Values.nats.bundled -}}
nats://{{ include "steward.fullname" . }}-nats:4222
{{- else -}}
{{ required "nats.url is required without nats.bundled" .Values.nats.url }}
{{- end -}}
{{- end -}}

{{/* The files of secrets that a process gets: a JSON list of the file, the Secret and its key, and the setting that names the
     file. A setting without a section is a variable. Takes the root and the component. */}}
{{- define "steward.secretFiles" -}}
{{- $values := .root.Values -}}
{{- $own := include "steward.fullname" .root -}}
{{- $given := default $own $values.secrets.existingSecret -}}
{{- $files := list -}}
{{- if has .component (list "all-in-one" "server" "user") -}}
{{- $files = append $files (dict "file" "registration_shared_secret" "secret" $given "key" "registration_shared_secret" "setting" "registration.shared_secret_file") -}}
{{- end -}}
{{- if eq $values.mode "services" -}}
{{- $files = append $files (dict "file" "internal_credential" "secret" $given "key" "internal_credential" "setting" "services.credential_file") -}}
{{- end -}}
{{- with $values.services.tls.secretName -}}
{{- if eq $values.mode "services" -}}
{{- $files = append $files (dict "file" "services_ca" "secret" . "key" "ca.crt" "setting" "services.tls.ca_file") -}}
{{- $files = append $files (dict "file" "services_certificate" "secret" . "key" "tls.crt" "setting" "services.tls.certificate_file") -}}
{{- $files = append $files (dict "file" "services_key" "secret" . "key" "tls.key" "setting" "services.tls.key_file") -}}
{{- end -}}
{{- end -}}
{{- if has .component (list "user" "room" "media" "moderation") -}}
{{- range $client := $values.services.clients -}}
{{- range $n, $key := $client.keys -}}
{{- $files = append $files (dict "file" (printf "client_%s_%d" $client.name $n) "secret" $client.secretName "key" $key "setting" "") -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if has .component (list "server" "user" "room" "media" "moderation") -}}
{{- if $values.mongodb.bundled -}}
{{- $files = append $files (dict "file" "mongodb_password" "secret" $own "key" "mongodb_password" "setting" "store.password_file") -}}
{{- else if $values.mongodb.secret.name -}}
{{- range $part, $setting := dict "password" "password_file" "ca" "ca_file" "certificate" "certificate_file" "key" "key_file" -}}
{{- with index $values.mongodb.secret (printf "%sKey" $part) -}}
{{- $files = append $files (dict "file" (printf "mongodb_%s" $part) "secret" $values.mongodb.secret.name "key" . "setting" (printf "store.%s" $setting)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $values.nats.bundled -}}
{{- $files = append $files (dict "file" "nats_password" "secret" $own "key" "nats_password" "setting" "bus.nats_password_file") -}}
{{- else if $values.nats.secret.name -}}
{{- range $part, $setting := dict "password" "password_file" "ca" "ca_file" "certificate" "certificate_file" "key" "key_file" "credentials" "credentials_file" "nkey" "nkey_file" -}}
{{- with index $values.nats.secret (printf "%sKey" $part) -}}
{{- $files = append $files (dict "file" (printf "nats_%s" $part) "secret" $values.nats.secret.name "key" . "setting" (printf "bus.nats_%s" $setting)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $values.audit.existingSecret (has .component (list "all-in-one" "server" "moderation")) -}}
{{- $files = append $files (dict "file" "audit_signing_key" "secret" $values.audit.existingSecret "key" "signing_key" "setting" "audit.signing_key_file") -}}
{{- end -}}
{{- if and $values.s3.existingSecret (has .component (list "all-in-one" "server" "media")) -}}
{{- $files = append $files (dict "file" "s3_credentials" "secret" $values.s3.existingSecret "key" "credentials" "setting" "AWS_SHARED_CREDENTIALS_FILE") -}}
{{- end -}}
{{- with $values.traces.existingSecret -}}
{{- $files = append $files (dict "file" "traces_headers" "secret" . "key" "headers" "setting" "telemetry.traces.headers_file") -}}
{{- end -}}
{{- toJson $files -}}
{{- end -}}

{{/* The settings of a process, as its file. Takes the root and the component. */}}
{{- define "steward.settings" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{- $values := $root.Values -}}
{{- $settings := deepCopy $values.settings -}}
{{- if not (dig "server" "name" "" $settings) -}}
{{- fail "settings.server.name is required: the name of the server, for example example.org, which cannot be changed later" -}}
{{- end -}}
{{- $chart := dict -}}
{{- if eq $values.mode "services" -}}
{{- $fullname := include "steward.fullname" $root -}}
{{- $services := dict -}}
{{- $scheme := ternary "https" "http" (ne $values.services.tls.secretName "") -}}
{{- range list "user" "room" "media" "moderation" -}}
{{- $_ := set $services (printf "%s_urls" .) (list (printf "%s://%s-%s:8008" $scheme $fullname .)) -}}
{{- end -}}
{{- if ne $component "gateway" -}}
{{- $clients := list -}}
{{- range $client := $values.services.clients -}}
{{- $paths := list -}}
{{- range $n, $_ := $client.keys -}}
{{- $paths = append $paths (printf "%s/client_%s_%d" (include "steward.secretsPath" $root) $client.name $n) -}}
{{- end -}}
{{- $clients = append $clients (dict "name" $client.name "scopes" $client.scopes "credential_files" $paths) -}}
{{- end -}}
{{- $_ := set $services "clients" $clients -}}
{{- end -}}
{{- $_ := set $chart "services" $services -}}
{{- end -}}
{{- if ne $component "all-in-one" -}}
{{- $store := dig "media" "store" "gridfs" $settings -}}
{{- if eq $store "file" -}}
{{- fail "settings.media.store: file needs mode: one-process; several processes share gridfs or s3" -}}
{{- end -}}
{{- $_ := set $chart "media" (dict "store" $store) -}}
{{- end -}}
{{- if has $component (list "server" "user" "room" "media" "moderation") -}}
{{- $mongodb := dict "url" (include "steward.storeUrl" $root) -}}
{{- with ternary "steward" $values.mongodb.user $values.mongodb.bundled -}}{{- $_ := set $mongodb "user" . -}}{{- end -}}
{{- $nats := dict "nats_url" (include "steward.natsUrl" $root) -}}
{{- with ternary "steward" $values.nats.user $values.nats.bundled -}}{{- $_ := set $nats "nats_user" . -}}{{- end -}}
{{- $_ := set $chart "store" $mongodb -}}
{{- $_ := set $chart "bus" $nats -}}
{{- else if eq $component "gateway" -}}
{{- /* The bytes of media are the media service's, and their store may need a database. */ -}}
{{- $_ := unset $chart "media" -}}
{{- with $settings.media -}}{{- $_ := set $settings "media" (omit . "store" "s3") -}}{{- end -}}
{{- end -}}
{{- range fromJsonArray (include "steward.secretFiles" .) -}}
{{- if contains "." .setting -}}
{{- $path := splitList "." .setting -}}
{{- $setting := dict (last $path) (printf "%s/%s" (include "steward.secretsPath" $root) .file) -}}
{{- range reverse (initial $path) -}}{{- $setting = dict . $setting -}}{{- end -}}
{{- $chart = mergeOverwrite $chart $setting -}}
{{- end -}}
{{- end -}}
{{- toYaml (mergeOverwrite $settings $chart) -}}
{{- end -}}
