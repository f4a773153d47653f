import { readFile } from 'node:fs/promises';
import { type Repetition, repeat } from '@steward/kernel';
import type { Logger } from '@steward/telemetry';

/** How often files are read, in milliseconds. They are small, and a volume of Kubernetes reports no change of a file. */
const INTERVAL_MS = 5_000;

/** Files whose contents are used together. */
export interface FileGroup {
  /** The setting that names them. */
  readonly setting: string;
  readonly paths: readonly string[];
  /**
   * Uses the contents, in the order of the paths.
   *
   * @throws Error with a message of one line when they cannot be used; the earlier ones then stay in use
   */
  readonly use: (texts: readonly string[]) => void;
}

/** Files that are read again and again. */
export interface FollowedFiles extends Repetition {
  /** Reads them now. */
  refresh(): Promise<void>;
}

/**
 * Uses files, and uses them again whenever they have changed. Files that cannot be read or used later are reported in the log,
 * once, and what was read before stays in use.
 *
 * @throws Error with a message of one line when a file cannot be read or used at first
 */
export async function followFiles(
  groups: readonly FileGroup[],
  logger: Pick<Logger, 'info' | 'error'>,
): Promise<FollowedFiles> {
  const followed = groups.map((group) => ({ ...group, seen: '', fault: '' }));
  for (const group of followed) {
    const texts = await readGroup(group);
    group.use(texts);
    group.seen = JSON.stringify(texts);
  }
  const readAll = async () => {
    for (const group of followed) {
      const { setting, paths } = group;
      try {
        const texts = await readGroup(group);
        const seen = JSON.stringify(texts);
        group.fault = seen === group.seen ? '' : group.fault;
        if (seen === group.seen) continue;
        group.use(texts);
        group.seen = seen;
        group.fault = '';
        logger.info({ setting, paths }, 'files have changed and are used');
      } catch (error) {
        const { message } = error as Error;
        if (message !== group.fault)
          logger.error(
            { setting, paths, reason: message },
            'files cannot be used; the earlier ones stay in use',
          );
        group.fault = message;
      }
    }
  };
  // One after the other, so that a fault is reported once.
  let last = Promise.resolve();
  const refresh = () => {
    last = last.then(readAll);
    return last;
  };
  const repetition = repeat(refresh, { intervalMs: INTERVAL_MS, onFault: () => {} });
  return { refresh, close: () => repetition.close() };
}

async function readGroup({
  setting,
  paths,
}: Pick<FileGroup, 'setting' | 'paths'>): Promise<readonly string[]> {
  return Promise.all(
    paths.map(async (path) => {
      try {
        return await readFile(path, 'utf8');
      } catch (error) {
        throw new Error(`${setting}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
      }
    }),
  );
}
