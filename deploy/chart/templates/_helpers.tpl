{{- define "outgrow.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* policies, webhook or none */ -}}
{{- define "outgrow.admission" -}}
{{- if ne .Values.admission "auto" -}}
{{ .Values.admission }}
{{- else if semverCompare ">=1.36-0" .Capabilities.KubeVersion.Version -}}
policies
{{- else -}}
webhook
{{- end -}}
{{- end }}
