{{/* Name of the release's objects. */}}
{{- define "hawser.name" -}}
{{- if contains "hawser" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-hawser" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels that select the pods of a process. Arguments: root, process. */}}
{{- define "hawser.selector" -}}
app.kubernetes.io/name: hawser
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .process }}
{{- end -}}

{{/* Labels of an object. Arguments: root, process. */}}
{{- define "hawser.labels" -}}
{{ include "hawser.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "hawser.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "hawser.name" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "hawser.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $image.repository ($image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* The secrets of each process, those of its service in docker-compose.yml and those of sign-in. */}}
{{- define "hawser.secrets" -}}
web: [secret_key, secret_key_fallbacks, credentials_key, audit_key, database_url, redis_url, web_push_key, password_pepper, proxy_secret, web_certificate, web_key, oidc_client_secret, ldap_bind_password]
worker: [credentials_key, audit_key, database_url, redis_url, web_push_key]
monitor: [credentials_key, audit_key, database_url, redis_url, oidc_client_secret, ldap_bind_password]
migrate: [audit_key, database_url, migrate_database_url]
{{- end -}}

{{/* Names of the secrets that a process gets: none of what is not used. Arguments: root, process. */}}
{{- define "hawser.given" -}}
{{- range get (include "hawser.secrets" .root | fromYaml) .process }}
{{- if (get $.root.Values.secrets .).name }}
- {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The Secret whose keys a process has as files; the Job that migrates has none. Arguments: root, process. */}}
{{- define "hawser.files" -}}
{{- if ne .process "migrate" }}{{ .root.Values.files.secret }}{{ end -}}
{{- end -}}

{{/* Environment of a process. Arguments: root, process. */}}
{{- define "hawser.environment" -}}
{{- $values := .root.Values -}}
{{- $web := printf "%s-web" (include "hawser.name" .root) -}}
- { name: HAWSER_PROCESS, value: {{ .process }} }
# What is freed is overwritten at once, opened passwords too: every object of Python comes from malloc, which fills it.
- { name: PYTHONMALLOC, value: malloc }
- { name: GLIBC_TUNABLES, value: "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0" }
- { name: HAWSER_BEHIND_PROXY, value: "1" }
# Prometheus asks each pod by its address.
- name: POD_IP
  valueFrom: { fieldRef: { fieldPath: status.podIP } }
- { name: HAWSER_ALLOWED_HOSTS, value: {{ join "," (concat $values.hostnames (list $web "127.0.0.1" "$(POD_IP)")) | quote }} }
- { name: HAWSER_TRUSTED_ORIGINS, value: "https://{{ join ",https://" $values.hostnames }}" }
- { name: HAWSER_WEB_ADDRESSES, value: "{{ $web }}:{{ $values.service.port }},{{ $web }}-pods:8000" }
{{- range $name := include "hawser.given" . | fromYamlArray }}
{{- if not (has $name (list "web_certificate" "web_key")) }}
- { name: HAWSER_{{ upper $name }}_FILE, value: /run/secrets/hawser/{{ $name }} }
{{- end }}
{{- end }}
{{- if eq .process "web" }}
# uvicorn's own settings: it speaks TLS alone, and its own list of ciphers is weaker.
- { name: UVICORN_SSL_CERTFILE, value: /run/secrets/hawser/web_certificate }
- { name: UVICORN_SSL_KEYFILE, value: /run/secrets/hawser/web_key }
- { name: UVICORN_SSL_CIPHERS, value: "ECDHE+AESGCM:ECDHE+CHACHA20" }
{{- end }}
{{- if and (has .process (list "web" "worker")) (not $values.secrets.web_push_key.name) }}
- { name: HAWSER_WEB_PUSH_KEY, value: "off" }
{{- end }}
{{- range $name, $value := $values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end -}}

{{/* A container without any right that it does not need. Arguments: root, process. */}}
{{- define "hawser.container" -}}
name: {{ .process }}
image: {{ include "hawser.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  {{- include "hawser.environment" . | nindent 2 }}
resources:
  {{- toYaml (get .root.Values .process).resources | nindent 2 }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: secrets, mountPath: /run/secrets/hawser, readOnly: true }
  {{- if include "hawser.files" . }}
  - { name: files, mountPath: /run/secrets/files, readOnly: true }
  {{- end }}
  - { name: internal-ca, mountPath: /etc/hawser, readOnly: true }
{{- end -}}

{{/* What a pod has besides its container. Arguments: root, process. */}}
{{- define "hawser.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: { medium: Memory, sizeLimit: 64Mi }
  - name: secrets
    projected:
      defaultMode: 0440
      sources:
        {{- range $name := include "hawser.given" . | fromYamlArray }}
        {{- $secret := get $.root.Values.secrets $name }}
        - secret:
            name: {{ $secret.name }}
            items: [{ key: {{ $secret.key }}, path: {{ $name }} }]
        {{- end }}
{{- with include "hawser.files" . }}
  - name: files
    projected:
      defaultMode: 0440
      sources: [{ secret: { name: {{ . }} } }]
{{- end }}
  - name: internal-ca
    configMap:
      name: {{ .root.Values.internalCa.configMap }}
      items: [{ key: {{ .root.Values.internalCa.key }}, path: internal_ca.pem }]
{{- end -}}

{{/* Two pods of a process on two machines. Arguments: root, process. */}}
{{- define "hawser.affinity" -}}
{{- $labels := include "hawser.selector" . -}}
affinity:
  podAntiAffinity:
    {{- if eq .root.Values.antiAffinity "required" }}
    requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- $labels | nindent 12 }}
    {{- else }}
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels:
              {{- $labels | nindent 14 }}
    {{- end }}
{{- end -}}

{{/* A Deployment up to its container's own keys. Arguments: root, process. */}}
{{- define "hawser.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "hawser.name" .root }}-{{ .process }}
  labels:
    {{- include "hawser.labels" . | nindent 4 }}
spec:
  replicas: {{ (get .root.Values .process).replicas }}
  # One after the other: the version before works on the new schema, and another worker continues a released run.
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }
  selector:
    matchLabels:
      {{- include "hawser.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "hawser.labels" . | nindent 8 }}
      {{- with .root.Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "hawser.serviceAccount" .root }}
      {{- include "hawser.pod" . | nindent 6 }}
      {{- include "hawser.affinity" . | nindent 6 }}
{{- end -}}
