import { type Config, ConfigError, changedSettings, loadConfig } from '@steward/config';
import { systemClock, systemRandom } from '@steward/kernel';
import type { Tls } from '@steward/rpc';
import {
  createLogger,
  createMetrics,
  type Logger,
  type Metrics,
  openTracing,
  type ProcessTracing,
} from '@steward/telemetry';
import { boundHeap } from './bound-heap.ts';
import { explainListenError } from './explain-listen-error.ts';
import { openTls } from './files/open-tls.ts';
import { RELEASE } from './release.ts';

/** How long the drain after SIGTERM may take before the process exits, in milliseconds. */
const DRAIN_TIMEOUT_MS = 20_000;

/** Files are readable by their owner only. */
const PRIVATE_UMASK = 0o077;

/** The context that a process starts with. */
export interface ProcessContext {
  readonly name: string;
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Records requests; absent where nothing is to be recorded. */
  readonly tracing?: ProcessTracing | undefined;
  /** Its identity towards the other processes; absent where they connect without TLS. */
  readonly tls?: Tls | undefined;
  /** Prints a line about a probable mistake of the operator. */
  readonly warn: (line: string) => void;
}

/** A running process. */
export interface RunningProcess {
  /** The text for standard output when the process is ready. */
  readonly banner: string;
  /** Completes running requests, then releases everything. */
  close(): Promise<void>;
}

/**
 * Runs a process: loads its settings, starts it, prints its banner when it is ready, and on SIGTERM or SIGINT
 * drains it and exits with 0. An error that an operator can fix is printed in one line, with a non-zero exit.
 */
export async function runProcess(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  start: (context: ProcessContext) => Promise<RunningProcess>,
): Promise<void> {
  // Files contain password hashes and keys, so only their owner may read them.
  process.umask(PRIVATE_UMASK);
  const warn = (warning: string) => void process.stderr.write(`${name}: ${warning}\n`);
  let loaded: Config | undefined;
  try {
    const { warnings, ...config } = loadConfig({ env });
    loaded = config;
    warnings.forEach(warn);
    const logger = createLogger({ name, ...config.logging });
    const metrics = createMetrics({ program: name, release: RELEASE });
    const tracing = await openTracing({
      name,
      serverName: config.server.name,
      release: RELEASE,
      settings: config.telemetry.traces,
      logger,
      meters: metrics,
      random: systemRandom,
    });
    const tls = await openTls({ config, clock: systemClock, logger, meters: metrics });
    let running: RunningProcess | undefined;
    let stopping = false;
    const stop = async (signal: NodeJS.Signals) => {
      // A second signal does not interrupt the drain.
      if (stopping) return;
      stopping = true;
      logger.info({ signal }, 'stopping');
      setTimeout(() => {
        logger.error({ ms: DRAIN_TIMEOUT_MS }, 'the process did not end in time');
        process.exit(1);
      }, DRAIN_TIMEOUT_MS).unref();
      try {
        await running?.close();
        await tls?.close();
        await tracing?.close();
      } catch (error) {
        logger.error({ err: error }, 'the process did not end in order');
        process.exit(1);
      }
      logger.info('stopped');
      process.exit(0);
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    running = await start({ name, config, logger, metrics, tracing, tls, warn });
    boundHeap();
    const ms = Math.round(performance.now());
    const settings = changedSettings(config);
    logger.info({ ms, release: RELEASE, node: process.version, pid: process.pid, settings }, 'ready');
    process.stdout.write(running.banner);
  } catch (error) {
    explain(error, loaded).forEach(warn);
    process.exit(1);
  }
}

function explain(error: unknown, config: Config | undefined): readonly string[] {
  if (error instanceof ConfigError) return error.problems;
  const message = error instanceof Error ? error.message : String(error);
  const explained = config && explainListenError(error, config);
  // Messages of engines may continue with details in further lines.
  return [explained ?? message.split('\n', 1)[0] ?? ''];
}
