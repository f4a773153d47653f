import { refuse, toRefusal } from '@steward/errors';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import type { FastifyRequest } from 'fastify';
import type { AdminCalls } from './admin-calls.ts';
import type { ListQuery } from './list-query.ts';
import type { AccountKey, ListedState } from './plan-filter.ts';
import type { ScimSettings, ShownAccount } from './user-resource.ts';

const { getUser, putUser, deactivate, listUsers } = AccountService.method;

/** A page of accounts, and how many there are. */
export interface AccountPage {
  readonly accounts: readonly ShownAccount[];
  readonly total: number;
}

/** The accounts as a caller of the administration API reads and changes them, see `AdminCalls`. */
export class Accounts {
  readonly #calls: AdminCalls;

  constructor(calls: AdminCalls) {
    this.#calls = calls;
  }

  /** The account with an id, if it exists. */
  async find(request: FastifyRequest, userId: string): Promise<ShownAccount | undefined> {
    try {
      return (await this.#calls.send(request, getUser, { params: { user_id: userId } })).user;
    } catch (error) {
      const { status } = toRefusal(error);
      // An id of another form or of another server is that of no account here.
      if (status === 404 || status === 400) return undefined;
      throw error;
    }
  }

  /** Creates an account. @throws ConnectError with 412 if it exists */
  async create(request: FastifyRequest, userId: string, body: object): Promise<ShownAccount> {
    const sent = { params: { user_id: userId }, body, headers: { 'if-none-match': '*' } };
    return existing((await this.#calls.send(request, putUser, sent)).user);
  }

  async change(request: FastifyRequest, userId: string, body: object): Promise<ShownAccount> {
    return existing((await this.#calls.send(request, putUser, { params: { user_id: userId }, body })).user);
  }

  async deactivate(request: FastifyRequest, userId: string, erase: boolean): Promise<void> {
    await this.#calls.send(request, deactivate, { params: { user_id: userId }, body: { erase } });
  }

  /** The accounts that a key determines: one, or none. */
  async withKey(
    request: FastifyRequest,
    { authProvider }: ScimSettings,
    serverName: string,
    { kind, value }: AccountKey,
  ): Promise<readonly ShownAccount[]> {
    if (kind === 'id' || kind === 'userName') {
      const found = await this.find(request, kind === 'id' ? value : `@${value}:${serverName}`);
      return found ? [found] : [];
    }
    if (value === '' || value.length > MAX_ID_LENGTH) return [];
    const filter: Record<string, string> =
      kind === 'externalId'
        ? { external_id: `${authProvider}:${value}` }
        : { threepid: `${kind === 'emails' ? 'email' : 'msisdn'}:${value}` };
    const all = { deactivated: 'true', locked: 'true', with_ids: 'true' };
    return (await this.#list(request, { ...filter, ...all })).accounts;
  }

  /** A page of the accounts in a state. */
  async page(
    request: FastifyRequest,
    { inactive }: ScimSettings,
    state: ListedState,
    query: ListQuery,
  ): Promise<AccountPage> {
    if (state.isEmpty) return { accounts: [], total: 0 };
    const flag = state.active === undefined ? undefined : String(!state.active);
    return this.#list(request, {
      from: String(query.startIndex - 1),
      limit: String(query.count),
      order_by: query.orderBy ?? 'name',
      dir: query.descending ? 'b' : 'f',
      with_ids: 'true',
      guests: 'false',
      locked: 'true',
      ...(inactive === 'lock'
        ? { is_deactivated: 'false', ...(flag === undefined ? {} : { is_locked: flag }) }
        : { deactivated: 'true', erased: 'false', ...(flag === undefined ? {} : { is_deactivated: flag }) }),
      ...(state.createdAfter === undefined ? {} : { created_after: String(state.createdAfter) }),
      ...(state.createdBefore === undefined ? {} : { created_before: String(state.createdBefore) }),
    });
  }

  async #list(request: FastifyRequest, query: Readonly<Record<string, string>>): Promise<AccountPage> {
    const { users, total } = await this.#calls.send(request, listUsers, {
      query: new URLSearchParams(query).toString(),
    });
    return { accounts: users, total: Number(total) };
  }
}

/** The longest key of an account, in characters. */
const MAX_ID_LENGTH = 512;

function existing(user: ShownAccount | undefined): ShownAccount {
  if (!user) throw refuse.unavailable('The answer has no account');
  return user;
}
