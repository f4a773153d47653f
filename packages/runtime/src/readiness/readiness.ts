import { setTimeout } from 'node:timers/promises';
import type { Meters } from '@steward/telemetry';

/** How long a check may take, in milliseconds, so that probes are answered within two seconds. */
const CHECK_LIMIT_MS = 1_500;

/** What a process can need. */
export type Need = 'store' | 'broker' | 'disk' | 'user' | 'room' | 'media' | 'moderation' | 'notices_account';

/** A check of one thing that a process needs. */
export interface Check {
  readonly need: Need;
  /**
   * What the process is without it: `unready`, because it can serve hardly any request; `unhealthy`, because some requests
   * fail that no other instance would serve either; or `degraded`, because it is there later, or for few requests.
   */
  readonly without: 'unready' | 'unhealthy' | 'degraded';
  readonly passes: () => boolean | Promise<boolean>;
}

/** What a process can serve. */
export interface Condition {
  readonly phase: 'starting' | 'serving' | 'draining';
  /** Whether requests should be sent to it. */
  readonly isReady: boolean;
  /** Whether it can serve every request. */
  readonly isHealthy: boolean;
  /** What it needs and has not. */
  readonly missing: readonly Need[];
}

/** Whether a process can serve requests. */
export interface Readiness {
  /** Runs all checks, and resolves within two seconds. Never throws. */
  read(): Promise<Condition>;
  /** Runs the checks without which the process is not ready. Those of peers would ask each other in a circle. */
  isReady(): Promise<boolean>;
  /** The process begins to serve. */
  serve(checks: readonly Check[]): void;
  /** The process ends: it is not ready from now on. */
  drain(): void;
}

/**
 * Creates the readiness of a process that starts, and adds it to the metrics.
 *
 * @param late resolves when a check that begins now has taken too long
 */
export function createReadiness(
  meters: Pick<Meters, 'gauge'>,
  late: () => Promise<unknown> = () => setTimeout(CHECK_LIMIT_MS, undefined, { ref: false }),
): Readiness {
  let phase: Condition['phase'] = 'starting';
  let checks: readonly SharedCheck[] = [];
  const failed = async (some: readonly SharedCheck[]) => {
    const passed = await Promise.all(some.map(({ run }) => run()));
    return some.filter((_, n) => !passed[n]);
  };
  meters.gauge('steward_ready').from(async () => {
    const missing = new Set(await failed(checks));
    return checks.map((check) => ({ labels: { check: check.need }, value: Number(!missing.has(check)) }));
  });
  return {
    async read() {
      const missing = phase === 'serving' ? await failed(checks) : [];
      // It can have begun to drain.
      const serving = phase === 'serving';
      return {
        phase,
        isReady: serving && missing.every(({ without }) => without !== 'unready'),
        isHealthy: serving && missing.every(({ without }) => without === 'degraded'),
        missing: missing.map(({ need }) => need),
      };
    },
    async isReady() {
      if (phase !== 'serving') return false;
      const missing = await failed(checks.filter(({ without }) => without === 'unready'));
      return missing.length === 0;
    },
    serve(all) {
      checks = all.map((check) => shared(check, late));
      phase = 'serving';
    },
    drain() {
      phase = 'draining';
    },
  };
}

interface SharedCheck extends Check {
  /** Never throws. */
  readonly run: () => Promise<boolean>;
}

/** Concurrent readers, which need no credential, share a run. A check that takes longer than it may has failed. */
function shared(check: Check, late: () => Promise<unknown>): SharedCheck {
  let running: Promise<boolean> | undefined;
  const pass = async () => check.passes();
  return {
    ...check,
    run() {
      running ??= pass()
        .catch(() => false)
        .finally(() => {
          running = undefined;
        });
      return Promise.race([running, late().then(() => false)]);
    },
  };
}
