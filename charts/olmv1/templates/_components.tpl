{{/* A volume of a Secret, as YAML. Takes: name, secret, and if wanted key: only this one. */}}
{{- define "olmv1.secretVolume" -}}
name: {{ .name }}
secret:
  secretName: {{ .secret }}
  {{- with .key }}
  items:
  - key: {{ . }}
    path: {{ . }}
  {{- end }}
{{- end -}}

{{- define "olmv1.mount" -}}
name: {{ .name }}
mountPath: {{ .path }}
readOnly: true
{{- end -}}
