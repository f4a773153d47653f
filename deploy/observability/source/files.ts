import { alertRules } from './alerts.ts';
import { DASHBOARDS } from './dashboards.ts';
import { grafanaJson } from './panels.ts';

/** The generated files, by their paths in deploy/observability. */
export function observabilityFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['alerts.yml', alertRules()],
    ...DASHBOARDS.map((dashboard) => [`dashboards/${dashboard.uid}.json`, grafanaJson(dashboard)] as const),
  ]);
}
