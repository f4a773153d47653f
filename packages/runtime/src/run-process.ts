import { type Config, ConfigError, loadConfig } from '@steward/config';
import { createLogger, type Logger } from '@steward/telemetry';

/** How long the drain after SIGTERM may take before the process exits, in milliseconds. */
const DRAIN_TIMEOUT_MS = 20_000;

/** Files are readable by their owner only. */
const PRIVATE_UMASK = 0o077;

/** The context that a process starts with. */
export interface ProcessContext {
  readonly config: Config;
  readonly logger: Logger;
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
  try {
    const { warnings, ...config } = loadConfig({ env });
    for (const warning of warnings) process.stderr.write(`${name}: ${warning}\n`);
    const logger = createLogger({ name, ...config.logging });
    let running: RunningProcess | undefined;
    let stopping = false;
    const stop = async () => {
      // A second signal does not interrupt the drain.
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(1), DRAIN_TIMEOUT_MS).unref();
      try {
        await running?.close();
      } catch (error) {
        logger.error({ err: error }, 'the process did not end in order');
        process.exit(1);
      }
      process.exit(0);
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    running = await start({ config, logger });
    process.stdout.write(running.banner);
  } catch (error) {
    for (const line of explain(error)) process.stderr.write(`${name}: ${line}\n`);
    process.exit(1);
  }
}

function explain(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems;
  const { code, port, syscall } = error as { code?: string; port?: number; syscall?: string };
  if (syscall === 'listen') {
    const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${code})`;
    return [`Port ${port} ${why}. Set STEWARD_PORT or STEWARD_METRICS_PORT, whichever it is, to another.`];
  }
  return [error instanceof Error ? error.message : String(error)];
}
