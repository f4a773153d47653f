import { createClient, type Transport } from '@connectrpc/connect';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { hasScopes } from '@steward/rpc';
import pLimit from 'p-limit';
import type { ClientOfRequest } from '../client-of.ts';
import type { Caller } from './caller.ts';
import type { KnownTokens } from './known-tokens.ts';

/** How many tokens are looked up at once, and how many look-ups may wait. */
const MAX_LOOK_UPS = 4;
const MAX_WAITING = 200;

/** How long a look-up may take, in milliseconds. */
const TIMEOUT_MS = 5_000;

/**
 * Looks up whose a token is, for requests that would wait or be refused as one of the many of their address: so that an
 * administrator is served whose first request arrives behind those of others.
 */
export class OwnerLookUps {
  readonly #limit = pLimit(MAX_LOOK_UPS);
  readonly #sessions;
  readonly #tokens: KnownTokens;

  constructor(transport: Transport, tokens: KnownTokens) {
    this.#sessions = createClient(SessionService, transport);
    this.#tokens = tokens;
  }

  /**
   * The caller to whom a token is charged; `undefined` if the token is refused, as that of a locked administrator is, or too
   * many look-ups wait.
   */
  async find(token: string, client: ClientOfRequest): Promise<Caller | undefined> {
    if (this.#limit.pendingCount >= MAX_WAITING) return undefined;
    return this.#limit(async () => {
      const known = this.#tokens.find(token);
      if (known) return known.caller;
      const found = await this.#sessions
        .authenticate({ accessToken: token, ...client }, { timeoutMs: TIMEOUT_MS })
        // The service that carries the request out states the refusal.
        .catch(() => undefined);
      return found && this.#tokens.add(token, { userId: found.owner, admin: hasScopes(found) });
    });
  }
}
