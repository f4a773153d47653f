import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Answer,
  type ClientRequestInit,
  type KeepAliveClient,
  Unanswered,
} from '@steward/topology/testing';

/** The pause before a caller repeats a request, in milliseconds. */
const PAUSE_MS = 100;

/** How long a caller repeats a request, in milliseconds: longer than any recovery takes. */
const PATIENCE_MS = 180_000;

/** The statuses of a server that cannot answer now; the outcome of the request is unknown. */
export const BUSY: ReadonlySet<number> = new Set([502, 503, 504]);

/** An answer that decides the request. */
export interface DefiniteAnswer extends Answer {
  /** Whether an earlier, unanswered attempt may have been executed. */
  readonly doubtful: boolean;
}

/** A client that repeats requests until they are answered. */
export interface Caller {
  /**
   * Sends a request until it is answered.
   *
   * @throws Error when that takes too long, or for an internal error of the server
   */
  ask(verb: string, path: string, init?: ClientRequestInit): Promise<DefiniteAnswer>;
  /** As `ask`; throws for any other status than these. */
  must(
    statuses: readonly number[],
    verb: string,
    path: string,
    init?: ClientRequestInit,
  ): Promise<DefiniteAnswer>;
  /** Sends a request once; `undefined` when its outcome is unknown. */
  tryOnce(verb: string, path: string, init?: ClientRequestInit): Promise<Answer | undefined>;
}

/** A caller that uses a client; `onAnswer` is called for every answer. */
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

/** A client that repeats requests until they are answered, for the comparison at the end. */
export function persistent(client: KeepAliveClient): KeepAliveClient {
  return { ...client, send: createCaller(client, () => {}).ask };
}
