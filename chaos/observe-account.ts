import { isDeepStrictEqual } from 'node:util';
import { path } from '@steward/testing';
import type { Answer, KeepAliveClient } from '@steward/topology/testing';
import type { AccountState } from './account-model.ts';
import { BUSY } from './caller.ts';

const LOCKED = 'M_USER_LOCKED';

/** What a token is good for. */
export type TokenUse = 'works' | 'is locked out' | 'is refused';

/** What the server says of an account; `undefined` when it cannot answer at present. */
export async function observeAccount(
  http: KeepAliveClient,
  adminToken: string,
  userId: string,
): Promise<Answer | undefined> {
  const answer = await http.send('GET', path`/_service/admin/v2/users/${userId}`, { token: adminToken });
  return BUSY.has(answer.status) ? undefined : answer;
}

/** In what the account differs from the way it should be. */
export function compareAccount(state: AccountState, { status, body }: Answer): string[] {
  if (!state.exists) return status === 404 ? [] : [`it is there: ${status}`];
  if (status !== 200) return [`it is not there: ${status}`];
  const { displayname, avatarUrl, userType, admin, locked, deactivated, erased } = state;
  const expected = { displayname, avatar_url: avatarUrl, user_type: userType, locked, erased };
  const facts = { ...expected, admin, deactivated, emails: state.emails, externalIds: state.externalIds };
  const found = {
    ...body,
    emails: body.threepids.map(({ address }: { address: string }) => address),
    externalIds: body.external_ids.map(({ external_id: id }: { external_id: string }) => id),
  };
  return Object.entries(facts)
    .filter(([key, value]) => !isDeepStrictEqual(normal(found[key]), normal(value)))
    .map(([key, value]) => `${key} is ${JSON.stringify(found[key])}, not ${JSON.stringify(value)}`);
}

/** Flags are booleans in one place and numbers in another. */
function normal(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** What a token is good for; `undefined` when the server cannot answer at present. */
export async function observeToken(http: KeepAliveClient, token: string): Promise<TokenUse | undefined> {
  const { status, body, text } = await http.send('GET', '/_proto/client/v3/account/whoami', { token });
  if (BUSY.has(status)) return undefined;
  if (status === 200) return 'works';
  if (status === 401) return body.errcode === LOCKED ? 'is locked out' : 'is refused';
  throw new Error(`A token is answered with ${status} ${text}`);
}

/** What a token of the account should be good for. */
export function expectedOf(state: AccountState, token: string): TokenUse {
  if (!state.sessions.some((session) => session.token === token)) return 'is refused';
  return state.locked ? 'is locked out' : 'works';
}
