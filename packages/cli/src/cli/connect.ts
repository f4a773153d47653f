import { type Client, type ClientRequest, createClient, type Middleware } from '@steward/sdk';
import { usageFailure } from '../io/exit.ts';
import type { Io } from '../io/io.ts';
import { serverUrl } from '../settings/server-url.ts';
import { readSettings, settingsPath } from '../settings/settings.ts';
import type { CommonOptions } from './common-options.ts';
import { dryRun } from './dry-run.ts';
import { planRequests } from './plan-requests.ts';

/** A server and how to be known there. */
export interface Connection {
  readonly server: string;
  readonly token: string;
  readonly client: Client;
}

/**
 * Returns the connection that flags, variables and contexts mean, in this order.
 *
 * @throws CommandFailure if they mean none
 */
export async function connect(
  io: Io,
  options: CommonOptions,
  note: (text: string) => Promise<void>,
): Promise<Connection> {
  const { server, token } = await target(io, options, note);
  return { server, token, client: openClient(io, options, note, server, token) };
}

/** Returns a client of a server, with the flags of the command. */
export function openClient(
  io: Io,
  options: CommonOptions,
  note: (text: string) => Promise<void>,
  server: string,
  token: string,
): Client {
  const middleware: Middleware[] = [
    ...(options.plan ? [planRequests(server)] : []),
    ...(options.verbose ? [logRequests(note, io.now)] : []),
    ...(options.dryRun ? [dryRun(io.stdout)] : []),
  ];
  return createClient({
    baseUrl: server,
    token,
    fetch: io.fetch,
    middleware,
    ...(options.dryRun && { maxRetries: 0 }),
    ...(options.reason !== undefined && { reason: options.reason }),
  });
}

async function target(
  io: Io,
  options: CommonOptions,
  note: (text: string) => Promise<void>,
): Promise<{ readonly server: string; readonly token: string }> {
  if (options.context !== undefined && options.server !== undefined)
    throw usageFailure('--context and --server exclude each other');
  // A context that is named goes before the variables.
  const { STEWARD_SERVER, STEWARD_TOKEN } = options.context === undefined ? io.env : {};
  const named = options.server ?? STEWARD_SERVER;
  if (named && STEWARD_TOKEN) return { server: serverUrl(named), token: requireToken(STEWARD_TOKEN) };
  const { contexts, current } = await readSettings(settingsPath(io.env), note);
  if (options.context !== undefined && !Object.hasOwn(contexts, options.context))
    throw usageFailure(`there is no context ${options.context}; see: stewardctl context list`);
  const name = options.context ?? current;
  const context = name !== undefined && Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  const server = named ? serverUrl(named) : context?.server;
  if (server === undefined)
    throw usageFailure(
      'no server: log in with stewardctl login <server>, or set STEWARD_SERVER and STEWARD_TOKEN',
    );
  // The token of a context goes to no other server.
  const token = STEWARD_TOKEN || (context?.server === server ? context.token : undefined);
  if (!token)
    throw usageFailure(
      `no token for ${server}: log in with stewardctl login ${server}, or set STEWARD_TOKEN`,
    );
  return { server, token: requireToken(token) };
}

/**
 * Returns a token that a header can carry: another one would appear in the message of a failed request.
 *
 * @throws CommandFailure if it cannot be a token
 */
export function requireToken(token: string): string {
  if (!/^[!-~]+$/.test(token)) throw usageFailure('the token is empty, or has characters that no token has');
  return token;
}

/** Names requests and their answers; neither headers nor bodies, which have secrets. */
function logRequests(note: (text: string) => Promise<void>, now: () => number): Middleware {
  return async (request: ClientRequest, next) => {
    await note(
      `> ${request.method} ${request.url}${request.attempt > 0 ? ` (attempt ${request.attempt + 1})` : ''}`,
    );
    const start = now();
    const response = await next(request);
    const id = response.headers.get('x-request-id');
    await note(
      `< ${response.status} in ${Math.round(now() - start)} ms${id === null ? '' : `, request ${id}`}`,
    );
    return response;
  };
}
