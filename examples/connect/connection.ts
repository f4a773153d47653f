import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { Code, ConnectError, createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { ErrorInfoSchema } from './gen/google/rpc/error_details_pb.ts';
import { Health } from './gen/health/v1/health_pb.ts';

/** How long the server may take to answer at first, in milliseconds: a wrong address is reported soon. */
const CONNECT_MS = 2_000;

/** How long a call may take, in milliseconds. The services refuse deadlines of more than 360 seconds. */
const DEADLINE_MS = 30_000;

/** How long a call is repeated while a service is unavailable, in milliseconds: longer than it takes to start again. */
const REPEAT_MS = 60_000;

/** The pause before the first repetition, in milliseconds; it doubles with each further one. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** How a service is reached. */
export interface Options {
  /** Its host and port. */
  readonly address: string;
  readonly credentialFile: string;
  /** The files, in PEM format, with which client and service identify each other; without them, calls are not encrypted. */
  readonly tls?: { readonly ca: string; readonly certificate: string; readonly key: string };
}

/** A connection to one service. */
export interface Connection {
  readonly transport: Transport;
  close(): void;
}

/**
 * Opens a connection. All calls have a credential and a deadline.
 *
 * @throws Error with the address when no server answers there
 */
export async function connect({ address, credentialFile, tls }: Options): Promise<Connection> {
  const baseUrl = `${tls ? 'https' : 'http'}://${address}`;
  const files = tls && {
    ca: readFileSync(tls.ca),
    cert: readFileSync(tls.certificate),
    key: readFileSync(tls.key),
  };
  const sessionManager = new Http2SessionManager(baseUrl, undefined, files);
  const common = { baseUrl, httpVersion: '2', sessionManager } as const;
  try {
    // Health needs no credential.
    await createClient(Health, createConnectTransport(common)).check({}, { timeoutMs: CONNECT_MS });
  } catch (error) {
    // Otherwise it is closed already.
    if (ConnectError.from(error).code === Code.DeadlineExceeded) sessionManager.abort();
    throw new Error(`There is no server at ${address}: ${explain(error)}`);
  }
  const transport = createConnectTransport({
    ...common,
    defaultTimeoutMs: DEADLINE_MS,
    interceptors: [sendCredential(credentialFile)],
  });
  return { transport, close: () => sessionManager.abort() };
}

/** Sends the credential in a file, which is read for each call, so that a new one needs no restart. */
function sendCredential(file: string): Interceptor {
  return (next) => async (request) => {
    request.header.set('steward-credential', (await readFile(file, 'utf8')).trim());
    return next(request);
  };
}

/**
 * Makes a call that changes nothing, and repeats it for a minute while the service is unavailable. Other calls are not repeated:
 * after `Unavailable` or `DeadlineExceeded`, a change may have been made or not.
 */
export async function read<Response>(call: () => Promise<Response>): Promise<Response> {
  const until = Date.now() + REPEAT_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unavailable || Date.now() > until) throw error;
      console.error(`${explain(error)}; the call is repeated`);
    }
    // A random part of the pause, so that many clients do not return at the same moment.
    await setTimeout(pause * (0.5 + Math.random() / 2));
  }
}

/** Returns the status code of a failed call, the errcode if steward refused it, and the message. */
export function explain(error: unknown): string {
  if (!(error instanceof ConnectError)) return error instanceof Error ? error.message : String(error);
  const info = error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === 'steward');
  return `${Code[error.code]}${info ? ` ${info.reason}` : ''}: ${error.rawMessage}`;
}
