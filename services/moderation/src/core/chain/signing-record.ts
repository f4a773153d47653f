import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isObject } from '@steward/kernel';

/** A checkpoint that the server signed. */
export interface SignedPlace {
  readonly number: number;
  readonly hash: string;
}

/** What the server knows of its signatures, whatever the store contains. */
export interface Signed {
  /** The number from which on it signs. */
  readonly since: number;
  /** The last checkpoint that it signed. */
  readonly last: SignedPlace;
}

/** Keeps outside of the store what the server signed, so that signatures cannot be removed from the store unnoticed. */
export interface SigningRecord {
  /**
   * Returns what is kept; undefined where nothing is.
   *
   * @throws Error with a message of one line when the file cannot be read
   */
  read(): Promise<Signed | undefined>;
  /** Keeps something else, on disk before it resolves. */
  write(signed: Signed): Promise<void>;
}

/** For the owner only. */
const FILE_MODE = 0o600;

/** A server that keeps nothing: without a key, or without a file. */
export const NO_RECORD: SigningRecord = { read: async () => undefined, write: async () => {} };

/** Keeps the record in a file, which several processes may share. */
export function signingRecordIn(path: string): SigningRecord {
  return {
    async read() {
      let text: string;
      try {
        text = await readFile(path, 'utf8');
      } catch (error) {
        if ((error as { code?: string }).code === 'ENOENT') return undefined;
        throw error;
      }
      return parse(text, path);
    },
    async write(signed) {
      const draft = `${path}.${process.pid}.new`;
      const file = await open(draft, 'w', FILE_MODE);
      await file.writeFile(`${JSON.stringify(signed)}\n`);
      await file.sync().finally(() => file.close());
      await rename(draft, path);
      const directory = await open(dirname(path));
      await directory.sync().finally(() => directory.close());
    },
  };
}

function parse(text: string, path: string): Signed {
  try {
    const { since, last } = JSON.parse(text) as Partial<Signed>;
    if (
      typeof since === 'number' &&
      isObject(last) &&
      typeof last.number === 'number' &&
      typeof last.hash === 'string'
    )
      return { since, last: { number: last.number, hash: last.hash } };
  } catch {
    // Reported below.
  }
  throw new Error(`audit.signing_record_file: ${path} is not as the server writes it`);
}
