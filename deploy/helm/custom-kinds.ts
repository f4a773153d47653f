import { z } from 'zod';

/** What the chart writes of kinds that are defined outside of Kubernetes, strictly: an unknown field is a mistake. */
export const CUSTOM_KINDS: Readonly<Record<string, z.ZodType>> = {
  HTTPRoute: resource('gateway.networking.k8s.io/v1', {
    parentRefs: z
      .array(
        z.strictObject({
          group: z.string().optional(),
          kind: z.string().optional(),
          name: z.string(),
          namespace: z.string().optional(),
          sectionName: z.string().optional(),
          port: z.int().optional(),
        }),
      )
      .min(1),
    hostnames: z.array(z.string()).optional(),
    rules: z.array(
      z.strictObject({
        matches: z.array(
          z.strictObject({
            path: z.strictObject({
              type: z.enum(['Exact', 'PathPrefix']),
              value: z.string().startsWith('/'),
            }),
          }),
        ),
        backendRefs: z.array(z.strictObject({ name: z.string(), port: z.int() })),
        timeouts: z.strictObject({ request: duration(), backendRequest: duration() }).partial().optional(),
      }),
    ),
  }),
  PrometheusRule: resource('monitoring.coreos.com/v1', {
    groups: z.array(
      z.strictObject({
        name: z.string(),
        rules: z.array(
          z.strictObject({
            alert: z.string(),
            expr: z.string(),
            for: duration(),
            labels: z.record(z.string(), z.string()),
            annotations: z.record(z.string(), z.string()),
          }),
        ),
      }),
    ),
  }),
  ServiceMonitor: resource('monitoring.coreos.com/v1', {
    selector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
    endpoints: z.array(
      z.strictObject({
        port: z.string(),
        path: z.string().startsWith('/'),
        interval: duration(),
        relabelings: z.array(
          z.strictObject({
            sourceLabels: z.array(z.string()).optional(),
            targetLabel: z.string(),
            replacement: z.string().optional(),
          }),
        ),
      }),
    ),
  }),
};

function resource(apiVersion: string, spec: z.ZodRawShape): z.ZodType {
  return z.strictObject({
    apiVersion: z.literal(apiVersion),
    kind: z.string(),
    metadata: z.strictObject({
      name: z.string(),
      namespace: z.string(),
      labels: z.record(z.string(), z.string()),
      annotations: z.record(z.string(), z.string()).optional(),
    }),
    spec: z.strictObject(spec),
  });
}

function duration() {
  return z.string().regex(/^(?:\d+(?:h|m|s|ms))+$/);
}
