import { hash } from 'node:crypto';
import type { DescMessage, DescMethodStreaming, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import { ConnectError, type ContextValues, type Transport } from '@connectrpc/connect';
import { toRefusal } from '@steward/errors';
import { headers, readCallerName } from '@steward/rpc';
import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';

/** How many tokens are remembered. */
const MAX_TOKENS = 50_000;

/** How long a caller is believed to own a token, in seconds. */
const LIFETIME_S = 300;

/** After how many seconds the gateway asks again whose a token is. */
const RENEWAL_S = 30;

const UNAUTHENTICATED_STATUS = 401;

/** The headers of a call; the handlers of the gateway pass records. */
type Sent = Parameters<Transport['unary']>[3];

/** Whose token it was when a service last looked it up. */
export interface KnownToken {
  readonly caller: Caller;
  /** Whether to ask again with this request. */
  readonly isDue: boolean;
}

/**
 * Remembers whose token it was when a service last looked it up. This decides to whom a request is charged, and nothing
 * else: each service looks the token up again. Where a token is not known, and every 30 seconds, the gateway asks with the
 * call of the request for the name of the caller. A token that is refused is forgotten. Tokens are kept as digests.
 */
export class KnownTokens {
  readonly #entries = new LRUCache<string, { readonly caller: Caller; readonly learnedAt: number }>({
    max: MAX_TOKENS,
  });
  #seconds = 0;

  /** Called once a second. */
  tick(): void {
    this.#seconds++;
  }

  /** The caller to whom requests with this token are charged, if a service has named it. */
  find(token: string): KnownToken | undefined {
    const entry = this.#entries.get(digest(token));
    if (!entry) return undefined;
    const age = this.#seconds - entry.learnedAt;
    return age > LIFETIME_S ? undefined : { caller: entry.caller, isDue: age > RENEWAL_S };
  }

  /** Remembers the owner of a token. */
  add(token: string, owner: { readonly userId: string; readonly admin: boolean }): Caller {
    const kind = owner.admin ? 'administrator' : 'user';
    const caller: Caller = { key: `${kind} ${owner.userId}`, kind, userId: owner.userId };
    this.#entries.set(digest(token), { caller, learnedAt: this.#seconds });
    return caller;
  }

  /** A transport that learns from the answers to calls that ask for the caller's name. */
  learnFrom(transport: Transport): Transport {
    return {
      unary: <I extends DescMessage, O extends DescMessage>(
        method: DescMethodUnary<I, O>,
        signal: AbortSignal | undefined,
        timeoutMs: number | undefined,
        header: Sent,
        message: MessageInitShape<I>,
        contextValues?: ContextValues,
      ) => this.#learn(header, transport.unary(method, signal, timeoutMs, header, message, contextValues)),
      stream: <I extends DescMessage, O extends DescMessage>(
        method: DescMethodStreaming<I, O>,
        signal: AbortSignal | undefined,
        timeoutMs: number | undefined,
        header: Sent,
        messages: AsyncIterable<MessageInitShape<I>>,
      ) => this.#learn(header, transport.stream(method, signal, timeoutMs, header, messages)),
    };
  }

  #learn<Answer extends { readonly header: Headers }>(sent: Sent, answer: Promise<Answer>): Promise<Answer> {
    const { [headers.nameCaller]: asked, [headers.accessToken]: encoded } = (sent ?? {}) as Record<
      string,
      string
    >;
    return asked === undefined || encoded === undefined
      ? answer
      : this.#learnFromAnswer(decodeURIComponent(encoded), answer);
  }

  async #learnFromAnswer<Answer extends { readonly header: Headers }>(
    token: string,
    call: Promise<Answer>,
  ): Promise<Answer> {
    try {
      const answer = await call;
      this.#learnName(token, answer.header);
      return answer;
    } catch (error) {
      const isNamed = error instanceof ConnectError && this.#learnName(token, error.metadata);
      // Interactive authentication answers with this status too, and names the caller.
      if (!isNamed && toRefusal(error).status === UNAUTHENTICATED_STATUS) this.#entries.delete(digest(token));
      throw error;
    }
  }

  #learnName(token: string, header: Headers): boolean {
    const name = readCallerName(header);
    if (name) this.add(token, name);
    return name !== undefined;
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64');
}
