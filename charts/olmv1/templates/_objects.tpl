{{/* What config/ says, in the namespace of the release. Takes: root, path. Comments stay: they give the reasons. */}}
{{- define "olmv1.file" -}}
{{- $text := .root.Files.Get .path -}}
{{- $namespace := .root.Release.Namespace -}}
{{- if ne $namespace "olmv1-system" -}}
{{- $text = $text | replace "namespace: olmv1-system" "namespace: \"@NAMESPACE@\"" | replace "olmv1-system" "@NAMESPACE@" -}}
{{- $text = $text | replace "@NAMESPACE@" $namespace -}}
{{- end -}}
{{- $text | trim -}}
{{- end -}}

{{/* All files of a folder. Takes: root, pattern. */}}
{{- define "olmv1.files" -}}
{{- range $path, $_ := .root.Files.Glob .pattern }}
---
{{ include "olmv1.file" (dict "root" $.root "path" $path) }}
{{- end }}
{{- end -}}

{{/* Labels of everything of one component. Takes: its name. */}}
{{- define "olmv1.labels" -}}
app.kubernetes.io/name: {{ . }}
app.kubernetes.io/part-of: olm
{{- end -}}

{{- define "olmv1.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* Names under which a Service is asked for. Takes: root, service. */}}
{{- define "olmv1.hosts" -}}
- localhost
- {{ .service }}.{{ .root.Release.Namespace }}.svc
- {{ .service }}.{{ .root.Release.Namespace }}.svc.cluster.local
{{- end -}}

{{/* Whether there are files for /etc/containers. */}}
{{- define "olmv1.hasRegistryFiles" -}}
{{- if or .Values.registries.conf .Values.registries.policy }}true{{ end -}}
{{- end -}}

{{/* The Secret with the serving certificate of a component. Takes: root, component. */}}
{{- define "olmv1.servingSecret" -}}
{{- $certificates := .root.Values.certificates -}}
{{- if ne $certificates.provider "files" -}}
{{ .component }}-serving
{{- else if eq .component "catalogd" -}}
{{ $certificates.files.catalogdSecret }}
{{- else -}}
{{ $certificates.files.operatorControllerSecret }}
{{- end -}}
{{- end -}}
