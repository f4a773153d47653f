import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { userId } from '../data.ts';
import { register, type Server, signIn, startSteward } from '../servers.ts';
import { senderOf, type Tokens } from './classes.ts';
import type { Scale } from './scale.ts';
import { writeScale } from './write-scale.ts';

/** The number of senders of messages, each with its own room. */
const SENDERS = 16;

/** A server on a copy of a data set. */
export interface ScaledServer {
  /** The data directory. */
  readonly data: string;
  readonly server: Server;
  readonly tokens: Tokens;
  /** Stops the server and removes the copy. */
  close(): Promise<void>;
}

/**
 * Starts the server on the data set of a scale, which is written unless an earlier run has, and shows the rates of the
 * import. Requests change a copy, so that the data set stays as it was written.
 */
export async function startScale(kept: string, scale: Scale): Promise<ScaledServer> {
  const directory = join(kept, String(scale.users));
  const rates = await writeScale(directory, scale);
  for (const [kind, rate] of Object.entries(rates)) console.log(`import of ${kind}: ${rate}/s`);
  const data = join(directory, 'run');
  await rm(data, { recursive: true, force: true });
  await cp(join(directory, 'data'), data, { recursive: true });
  const server = await startSteward(data);
  const close = async () => {
    await server.stop();
    await rm(data, { recursive: true });
  };
  try {
    console.log(
      `\n${scale.users} users: ready after ${Math.round(server.readyMs)} ms, ${server.memoryMb()} MB`,
    );
    const admin = await register(server.url, 'bench', true);
    const senders: string[] = [];
    for (let n = 0; n < SENDERS; n++) senders.push(await signIn(server, admin, userId(senderOf(n))));
    return { data, server, tokens: { admin, senders }, close };
  } catch (error) {
    await close();
    throw error;
  }
}
