import type { Condition, Readiness } from './readiness.ts';

/** The paths of probes. */
export const PROBE_PATHS = ['/health', '/health/ready', '/health/live'] as const;

/** The answer to a probe. It names neither addresses nor errors, because anyone may ask. */
export interface ProbeAnswer {
  readonly status: 200 | 503;
  readonly body: {
    readonly status: 'ok' | 'degraded' | 'unavailable' | 'starting' | 'draining';
    readonly missing?: Condition['missing'];
  };
}

/**
 * Answers a probe. `/health/live`: the process answers. `/health/ready`: requests should be sent to it. `/health`: it can serve
 * every request.
 */
export async function answerProbe(
  path: (typeof PROBE_PATHS)[number],
  readiness: Pick<Readiness, 'read'>,
): Promise<ProbeAnswer> {
  if (path === '/health/live') return { status: 200, body: { status: 'ok' } };
  const { phase, isReady, isHealthy, missing } = await readiness.read();
  const passes = path === '/health' ? isHealthy : isReady;
  if (passes && missing.length === 0) return { status: 200, body: { status: 'ok' } };
  // Tools compare the body of `/health` with what it has always been.
  if (passes)
    return { status: 200, body: path === '/health' ? { status: 'ok' } : { status: 'degraded', missing } };
  if (phase !== 'serving')
    return { status: 503, body: { status: path === '/health' ? 'unavailable' : phase } };
  return { status: 503, body: { status: 'unavailable', missing } };
}
