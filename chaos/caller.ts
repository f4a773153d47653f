import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Answer,
  type ClientRequestInit,
  type KeepAliveClient,
  Unanswered,
} from '@steward/topology/testing';

/** How long a caller waits before it asks again, in milliseconds. */
const PAUSE_MS = 100;

/** How long a caller goes on asking, in milliseconds: longer than everything that is broken stays so. */
const PATIENCE_MS = 180_000;

/** What a server answers that cannot say at present; whether it has done something nobody knows. */
export const BUSY: ReadonlySet<number> = new Set([502, 503, 504]);

/** An answer that says something. */
export interface Settled extends Answer {
  /** Whether an earlier attempt, of which nothing was heard, may have been carried out. */
  readonly doubtful: boolean;
}

/** A client that does not give up. */
export interface Caller {
  /**
   * Asks until it is told.
   *
   * @throws Error when that takes too long, or is a fault of the server
   */
  ask(verb: string, path: string, init?: ClientRequestInit): Promise<Settled>;
  /** Asks, and is told; any other status than these is a fault. */
  must(statuses: readonly number[], verb: string, path: string, init?: ClientRequestInit): Promise<Settled>;
  /** Asks once; `undefined` when nobody knows what became of it. */
  tryOnce(verb: string, path: string, init?: ClientRequestInit): Promise<Answer | undefined>;
}

/** A caller that uses a client; `onAnswer` is told of every answer. */
export function createCaller(client: KeepAliveClient, onAnswer: () => void): Caller {
  const tryOnce: Caller['tryOnce'] = async (verb, path, init) => {
    const answer = await client.send(verb, path, init);
    onAnswer();
    if (BUSY.has(answer.status)) return undefined;
    if (answer.status >= 500) throw new Error(`${verb} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const ask: Caller['ask'] = async (verb, path, init) => {
    const givenUpAt = performance.now() + PATIENCE_MS;
    let doubtful = false;
    for (;;) {
      try {
        const answer = await tryOnce(verb, path, init);
        if (answer) return { ...answer, doubtful };
        doubtful = true;
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        doubtful ||= error.how !== 'refused';
      }
      if (performance.now() > givenUpAt) throw new Error(`${verb} ${path} is not answered`);
      await sleep(PAUSE_MS);
    }
  };
  return {
    ask,
    async must(statuses, verb, path, init) {
      const answer = await ask(verb, path, init);
      if (statuses.includes(answer.status)) return answer;
      throw new Error(`${verb} ${path} ${JSON.stringify(init?.body)}: ${answer.status} ${answer.text}`);
    },
    async tryOnce(verb, path, init) {
      try {
        return await tryOnce(verb, path, init);
      } catch (error) {
        if (error instanceof Unanswered) return undefined;
        throw error;
      }
    },
  };
}

/** A client that does not give up either: what is looked at in the end is asked for until it is told. */
export function insistent(client: KeepAliveClient): KeepAliveClient {
  return { ...client, send: createCaller(client, () => {}).ask };
}
