import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { CreateRegistrationTokenRequest } from '@steward/proto/steward/user/v1/registration_tokens_pb.ts';
import { callId, repeatableCall } from '@steward/rpc';
import { Conflict } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { isPast, type RegistrationToken } from '../../core/model/registration-token.ts';
import { registrationTokenAggregate } from '../../core/registration-tokens/change-registration-token.ts';
import { toRegistrationToken } from './render-registration-token.ts';

const DEFAULT_LENGTH = 16n;
const MAX_LENGTH = 64n;
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const CHARACTERS = `${ALPHANUMERIC}._~-`;

/** Texts that no path can name: that of the method that creates tokens, and segments that clients remove from paths. */
const UNADDRESSABLE: ReadonlySet<string> = new Set(['new', '.', '..']);

/** How many random texts are tried: there are few short ones. */
const ATTEMPTS = 10;

/** Creates a token, with the given text or with an unused random one (behaviour.md 13.2). */
export async function createRegistrationToken(
  deps: Deps,
  request: CreateRegistrationTokenRequest,
  context: HandlerContext,
) {
  const { token, length = DEFAULT_LENGTH, usesAllowed, expiryTime } = request;
  if (length > MAX_LENGTH) throw refuse.invalidParam(`'length' must be at most ${MAX_LENGTH}`);
  const fields = {
    uses_allowed: usesAllowed === undefined ? null : Number(usesAllowed),
    expiry_ts: expiryTime === undefined ? null : Number(expiryTime),
  };
  requireFuture(deps, fields);
  if (token !== undefined && UNADDRESSABLE.has(token))
    throw refuse.invalidParam(`'token' must not be ${[...UNADDRESSABLE].join(', ')}`);
  for (let attempt = 1; attempt <= (token === undefined ? ATTEMPTS : 1); attempt++) {
    const id = callId(context, String(attempt));
    const _id = token ?? (id === undefined ? randomText(deps, Number(length)) : textFrom(id, Number(length)));
    if (UNADDRESSABLE.has(_id)) continue;
    const created: RegistrationToken = { _id, version: 1, ...fields, completed: 0, held: [] };
    const stored = (await insert(deps, created)) ? created : await madeBefore(deps, created, context);
    if (stored) return { token: toRegistrationToken(stored, deps.clock.now()) };
  }
  throw refuse.invalidParam(token === undefined ? 'No token of this length is left' : 'The token exists');
}

/** @throws refuse.invalidParam when a token would expire in the past */
export function requireFuture(deps: Deps, token: Pick<RegistrationToken, 'expiry_ts'>): void {
  if (isPast(token, deps.clock.now())) throw refuse.invalidParam("'expiry_time' must not be in the past");
}

async function insert(deps: Deps, token: RegistrationToken): Promise<boolean> {
  try {
    await registrationTokenAggregate.create(deps, token);
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}

/** The token that an earlier attempt of the call has made; `undefined` for one that is not like it, or has been used. */
async function madeBefore(
  deps: Deps,
  { _id, ...wanted }: RegistrationToken,
  context: HandlerContext,
): Promise<RegistrationToken | undefined> {
  if (!repeatableCall(context)?.isRepeated) return undefined;
  const found = await registrationTokenAggregate.load(deps, _id);
  return found && isDeepStrictEqual({ ...wanted, _id }, found) ? found : undefined;
}

/** A text of the form of a random one, as hard to guess as the seed of the ids of the call. */
function textFrom(id: string, length: number): string {
  const bytes = hash('sha512', id, 'buffer');
  return Array.from({ length }, (_, i) => {
    const characters = i === 0 ? ALPHANUMERIC : CHARACTERS;
    return characters[(bytes[i] ?? 0) % characters.length];
  }).join('');
}

/** Begins with a letter or digit: programs would parse a dash as an option, and shells a tilde as a directory. */
function randomText({ random }: Deps, length: number): string {
  return Array.from({ length }, (_, i) => {
    const characters = i === 0 ? ALPHANUMERIC : CHARACTERS;
    return characters[random.below(characters.length)];
  }).join('');
}
