import { isDeepStrictEqual } from 'node:util';
import { path } from '@steward/testing';
import type { Answer, KeepAliveClient } from '@steward/topology/testing';
import type { AccountState } from './account-model.ts';
import { BUSY } from './caller.ts';

const LOCKED = 'M_USER_LOCKED';

/** The result of using a token. */
export type TokenUse = 'works' | 'is locked out' | 'is refused';

/** The answer to a query for an account; `undefined` when the server cannot answer now. */
export async function observeAccount(
  http: KeepAliveClient,
  adminToken: string,
  userId: string,
): Promise<Answer | undefined> {
  const answer = await http.send('GET', path`/_service/admin/v2/users/${userId}`, { token: adminToken });
  return BUSY.has(answer.status) ? undefined : answer;
}

/** The differences between an account and its expected state. */
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

/** Flags are booleans in the model and partly numbers in answers. */
function normal(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Uses a token; `undefined` when the server cannot answer now. */
export async function observeToken(http: KeepAliveClient, token: string): Promise<TokenUse | undefined> {
  const { status, body, text } = await http.send('GET', '/_proto/client/v3/account/whoami', { token });
  if (BUSY.has(status)) return undefined;
  if (status === 200) return 'works';
  if (status === 401) return body.errcode === LOCKED ? 'is locked out' : 'is refused';
  throw new Error(`A token is answered with ${status} ${text}`);
}

/** The expected result of using a token of the account. */
export function expectedOf(state: AccountState, token: string): TokenUse {
  if (!state.sessions.some((session) => session.token === token)) return 'is refused';
  return state.locked ? 'is locked out' : 'works';
}
