import { setTimeout as pause } from 'node:timers/promises';
import { type JsonObject, own, ownString } from '@steward/kernel';

/** How long a server may take to answer, in milliseconds. */
const ANSWER_MS = 120_000;

/** How long a request waits that was refused because of a rate limit which does not say how long, in milliseconds. */
const LIMITED_MS = 1_000;

const TOO_MANY = 429;
const UNAUTHORIZED = 401;

/** A server that an administrator asks. */
export interface Server {
  readonly url: string;
  /** The administrator whose token it is. */
  readonly userId: string;
  /**
   * The JSON that the server answers; of a refusal its status and error code.
   *
   * @throws Error with a message of one line when it does not answer, or not to this token
   */
  get(path: string): Promise<unknown>;
  /** Sends a body, as someone who is not signed in unless a token is given. */
  post(path: string, body: JsonObject, token?: string): Promise<unknown>;
}

/**
 * Opens a server with the token of an administrator.
 *
 * @param which how messages call the server
 * @throws Error with a message of one line when it does not accept the token
 */
export async function openServer(which: string, base: string, token: string): Promise<Server> {
  const url = base.replace(/\/+$/, '');
  const ask = async (path: string, init: RequestInit): Promise<unknown> => {
    for (;;) {
      const response = await answerOf(which, `${url}${path}`, init);
      const answer = await response.json().catch(() => ({}));
      if (response.ok) return answer;
      if (response.status !== TOO_MANY) return { status: response.status, errcode: own(answer, 'errcode') };
      await pause(Number(own(answer, 'retry_after_ms') ?? LIMITED_MS));
    }
  };
  const as = (of: string) => ({ authorization: `Bearer ${of}` });
  const get = async (path: string) => {
    const answer = await ask(path, { headers: as(token) });
    if (own(answer, 'status') === UNAUTHORIZED)
      throw new Error(`The ${which} server at ${url} does not accept the token. Is it one that it knows?`);
    return answer;
  };
  const userId = ownString(await get('/_matrix/client/v3/account/whoami'), 'user_id');
  if (userId === undefined) throw new Error(`At ${url} is not a homeserver.`);
  if (own(await get('/_synapse/admin/v2/users?limit=1'), 'users') === undefined)
    throw new Error(`The token for the ${which} server is of ${userId}, who is not an administrator of it.`);
  return {
    ...{ url, userId, get },
    post: (path, body, of) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(of === undefined ? {} : as(of)) },
        body: JSON.stringify(body),
      }),
  };
}

async function answerOf(which: string, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS) });
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw new Error(`The ${which} server does not answer at ${url}: ${reason}.`, { cause: error });
  }
}
