import type { Client } from '@steward/sdk';
import { usageFailure } from '../io/exit.ts';

/** The path that tells everyone the name of the server. */
const KEYS = '/_proto/key/v2/server';

/** What stands for no user in a filter. */
const NO_ONE: ReadonlySet<string> = new Set(['', 'none', '-']);

/**
 * Returns what completes user ids with the name of the server: `bob` and `@bob` become `@bob:example.org`. What has a colon, or stands for
 * no one, stays as it is. The server is asked for its name once, when it is needed.
 *
 * @param open returns a client that sends requests also with `--dry-run`
 */
export function completionOfUserIds(
  open: () => Promise<Client>,
  signal: AbortSignal,
): (id: string) => Promise<string> {
  let name: Promise<string> | undefined;
  return async (id) => {
    if (NO_ONE.has(id) || id.includes(':')) return id;
    name ??= open().then((client) => serverNameOf(client, signal));
    return `@${id.replace(/^@/, '')}:${await name}`;
  };
}

/** Automation tokens belong to no account; then what the server says of its keys has the name. */
async function serverNameOf(client: Client, signal: AbortSignal): Promise<string> {
  const { user_id: me } = await client.me.get({}, { signal });
  if (me?.startsWith('@') && me.includes(':')) return me.slice(me.indexOf(':') + 1);
  const response = await client.request({ path: KEYS }, { signal });
  const { server_name: name } = (await response.json()) as { readonly server_name?: unknown };
  if (typeof name !== 'string' || name === '')
    throw usageFailure('the server does not tell its name: give whole user ids, such as @bob:example.org');
  return name;
}
