import type { Middleware } from '@steward/sdk';
import { Finished } from '../io/exit.ts';
import { type TextSink, write } from '../io/io.ts';
import { prettyJson } from '../output/json.ts';
import { visible } from '../output/visible.ts';

/** The fields of bodies that are never shown. */
const SECRET = /password|^(?:totp|recovery_code|mac|secret|access_token|refresh_token|token)$/;

/** Returns what shows the first request in place of sending it, and ends the command. */
export function dryRun(sink: TextSink): Middleware {
  return async ({ method, url, body }) => {
    await write(sink, visible(`${method} ${url}\n`));
    if (typeof body === 'string') await write(sink, `${shown(body)}\n`);
    else if (body !== undefined) await write(sink, '(a body of bytes)\n');
    throw new Finished();
  };
}

function shown(body: string): string {
  try {
    return prettyJson(
      JSON.parse(body, (name, value) => (SECRET.test(name) && typeof value === 'string' ? '***' : value)),
    );
  } catch {
    return visible(body);
  }
}
