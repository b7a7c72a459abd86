{{/* Flags that both components have, as YAML. Takes: root, values. */}}
{{- define "olmv1.commonFlags" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
leader-elect: "true"
system-namespace: {{ $root.Release.Namespace | quote }}
health-probe-bind-address: ":8081"
tls-profile: {{ $values.tls.profile }}
{{- with $values.tls.customVersion }}
tls-custom-version: {{ . | quote }}
{{- end }}
{{- with $values.tls.customCiphers }}
tls-custom-ciphers: {{ join "," . | quote }}
{{- end }}
{{- with $values.tls.customCurves }}
tls-custom-curves: {{ join "," . | quote }}
{{- end }}
{{- with $values.globalPullSecret.name }}
global-pull-secret: "{{ $values.globalPullSecret.namespace }}/{{ . }}"
{{- end }}
{{- if $values.registries.requirePolicy }}
require-image-policy: "true"
{{- end }}
{{- if $values.registries.authoritiesConfigMap }}
pull-cas-dir: /var/registry-cas
{{- end }}
{{- if .values.featureGates }}
{{- $gates := list }}
{{- range $name, $on := .values.featureGates }}
{{- $gates = append $gates (printf "%s=%t" $name $on) }}
{{- end }}
feature-gates: {{ join "," $gates | quote }}
{{- end }}
{{- with .values.verbosity }}
v: {{ . | quote }}
{{- end }}
{{- end -}}

{{/* A component. Takes: root, name, command, values, flags, ports, volumes and mounts (YAML), cachePath. */}}
{{- define "olmv1.deployment" -}}
{{- $values := .root.Values -}}
{{- $own := .values -}}
{{- $flags := merge (dict) .flags (include "olmv1.commonFlags" . | fromYaml) -}}
{{- range $name, $value := $own.extraFlags }}{{ $_ := set $flags $name $value }}{{ end -}}
{{- $security := dict "runAsNonRoot" true "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{- range $name, $value := $values.podSecurityContext }}{{ $_ := set $security $name $value }}{{ end -}}
{{- $annotations := merge (dict) $own.podAnnotations (dict "kubectl.kubernetes.io/default-container" .command) -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace | quote }}
  labels:
    {{- include "olmv1.labels" .command | nindent 4 }}
    app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
spec:
  replicas: {{ $own.replicas }}
  minReadySeconds: 5
  strategy:
    {{- if $own.cache.existingClaim }}
    type: Recreate
    {{- else }}
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
    {{- end }}
  selector:
    matchLabels:
      control-plane: {{ .name }}
  template:
    metadata:
      labels:
        {{- include "olmv1.labels" .command | nindent 8 }}
        control-plane: {{ .name }}
      annotations:
        {{- toYaml $annotations | nindent 8 }}
    spec:
      serviceAccountName: {{ .name }}
      {{- with $values.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      affinity:
        {{- if $own.affinity }}
        {{- toYaml $own.affinity | nindent 8 }}
        {{- else }}
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
          - weight: 100
            podAffinityTerm:
              topologyKey: kubernetes.io/hostname
              labelSelector:
                matchLabels:
                  control-plane: {{ .name }}
        {{- end }}
      securityContext:
        {{- toYaml $security | nindent 8 }}
      containers:
      - name: {{ .command }}
        image: {{ include "olmv1.image" .root | quote }}
        imagePullPolicy: {{ $values.image.pullPolicy }}
        command:
        - {{ .command }}
        args:
        {{- range $name, $value := $flags }}
        - {{ printf "--%s=%v" $name (kindIs "float64" $value | ternary (int64 $value) $value) | quote }}
        {{- end }}
        {{- with concat (include "olmv1.proxy" .root | fromYamlArray) $own.extraEnv }}
        env:
        {{- toYaml . | nindent 8 }}
        {{- end }}
        ports:
        {{- range $name, $port := .ports }}
        - name: {{ $name }}
          containerPort: {{ $port }}
          protocol: TCP
        {{- end }}
        livenessProbe:
          httpGet:
            path: /healthz
            port: health
          initialDelaySeconds: 15
          periodSeconds: 20
        readinessProbe:
          httpGet:
            path: /readyz
            port: health
          initialDelaySeconds: 1
          periodSeconds: 5
        resources:
          {{- toYaml $own.resources | nindent 10 }}
        securityContext:
          allowPrivilegeEscalation: false
          readOnlyRootFilesystem: true
          capabilities:
            drop:
            - ALL
        terminationMessagePolicy: FallbackToLogsOnError
        volumeMounts:
        - name: cache
          mountPath: {{ .cachePath }}
        - name: tmp
          mountPath: /tmp
        {{- with concat .mounts (include "olmv1.sharedMounts" .root | fromYamlArray) $own.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
      - name: cache
        {{- if $own.cache.existingClaim }}
        persistentVolumeClaim:
          claimName: {{ $own.cache.existingClaim }}
        {{- else if $own.cache.sizeLimit }}
        emptyDir:
          sizeLimit: {{ $own.cache.sizeLimit }}
        {{- else }}
        emptyDir: {}
        {{- end }}
      - name: tmp
        emptyDir: {}
      {{- with concat .volumes (include "olmv1.sharedVolumes" .root | fromYamlArray) $own.extraVolumes }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
{{- end -}}

{{/* Environment variables of the proxy, as YAML. */}}
{{- define "olmv1.proxy" -}}
{{- $proxy := .Values.proxy -}}
{{- $own := list "$(KUBERNETES_SERVICE_HOST)" "localhost" "127.0.0.1" ".svc" ".cluster.local" -}}
{{- with $proxy.http }}
- name: HTTP_PROXY
  value: {{ . | quote }}
{{- end }}
{{- with $proxy.https }}
- name: HTTPS_PROXY
  value: {{ . | quote }}
{{- end }}
{{- if or $proxy.http $proxy.https }}
- name: NO_PROXY
  value: {{ concat (compact (list $proxy.bypass)) $own | join "," | quote }}
{{- end }}
{{- end -}}

{{/* Mounts that both components have, as YAML. */}}
{{- define "olmv1.sharedMounts" -}}
{{- if include "olmv1.hasRegistryFiles" . }}
- name: containers
  mountPath: /etc/containers
  readOnly: true
{{- end }}
{{- if .Values.registries.authoritiesConfigMap }}
- name: registry-cas
  mountPath: /var/registry-cas
  readOnly: true
{{- end }}
{{- end -}}

{{/* The volumes for them, as YAML. */}}
{{- define "olmv1.sharedVolumes" -}}
{{- if include "olmv1.hasRegistryFiles" . }}
- name: containers
  configMap:
    name: olmv1-registries
{{- end }}
{{- with .Values.registries.authoritiesConfigMap }}
- name: registry-cas
  configMap:
    name: {{ . }}
{{- end }}
{{- end -}}
