import { readFile } from 'node:fs/promises';
import { CommandFailure, EXIT, usageFailure } from '../io/exit.ts';
import { type Io, isInteractive, readAll } from '../io/io.ts';
import { parseJson } from './read-value.ts';

const STANDARD_INPUT = '-';

/** Returns the text of a file, or of the standard input for `-`. */
export async function readText(io: Io, path: string): Promise<string> {
  if (path === STANDARD_INPUT) return readAll(io);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandFailure(`cannot read ${path}: ${(error as Error).message}`, EXIT.usage, {
      cause: error,
    });
  }
}

/** Returns a body: JSON, `-` for the standard input, or `@` and the path of a file. */
export async function readBody(io: Io, given: string): Promise<Readonly<Record<string, unknown>>> {
  const path = given === STANDARD_INPUT ? given : given.startsWith('@') ? given.slice(1) : undefined;
  const text = path === undefined ? given : await readText(io, path);
  const body = parseJson(text, '--body');
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw usageFailure('--body is not a JSON object');
  return body as Readonly<Record<string, unknown>>;
}

/** Returns a secret: the first line of a file or of the standard input, or the answer on the terminal for `-`. */
export async function readSecret(io: Io, path: string, question: string): Promise<string> {
  if (path === STANDARD_INPUT && isInteractive(io)) return (await io.prompts()).secret(question);
  const [line = ''] = (await readText(io, path)).split(/\r?\n/);
  return line;
}
