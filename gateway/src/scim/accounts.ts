import type { DescMethodUnary, DescService, Message, MessageShape } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import { refuse, toRefusal } from '@steward/errors';
import { type Binding, compile } from '@steward/http';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { headers } from '@steward/rpc';
import type { FastifyRequest } from 'fastify';
import { headerOf, type RequestContexts } from '../transcode.ts';
import type { ListQuery } from './list-query.ts';
import type { AccountKey, ListedState } from './plan-filter.ts';
import type { ScimSettings, ShownAccount } from './user-resource.ts';

/** How long a call may take, in milliseconds. */
const CALL_TIMEOUT_MS = 60_000;

const { getUser, putUser, deactivate, listUsers } = AccountService.method;

/** What a request to an endpoint of accounts consists of. */
interface Sent {
  readonly userId?: string;
  readonly query?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page of accounts, and how many there are. */
export interface AccountPage {
  readonly accounts: readonly ShownAccount[];
  readonly total: number;
}

/**
 * The accounts as a caller of the administration API reads and changes them: each call is a request to a documented endpoint, read by
 * the same rules and with the credential of the SCIM request, so that what it requires, refuses, records and reports is the same.
 */
export class Accounts {
  readonly #bindings: ReadonlyMap<DescMethodUnary, Binding>;
  readonly #transport: Transport;
  readonly #contexts: RequestContexts;

  constructor(transportOf: (service: DescService) => Transport, contexts: RequestContexts) {
    const first = new Map<DescMethodUnary, Binding>();
    for (const binding of compile([AccountService])) {
      const method = binding.method as DescMethodUnary;
      if (!first.has(method)) first.set(method, binding);
    }
    this.#bindings = first;
    this.#transport = transportOf(AccountService);
    this.#contexts = contexts;
  }

  /** The account with an id, if it exists. */
  async find(request: FastifyRequest, userId: string): Promise<ShownAccount | undefined> {
    try {
      return (await this.#call(request, getUser, { userId })).user;
    } catch (error) {
      const { status } = toRefusal(error);
      // An id of another form or of another server is that of no account here.
      if (status === 404 || status === 400) return undefined;
      throw error;
    }
  }

  /** Creates an account. @throws ConnectError with 412 if it exists */
  async create(request: FastifyRequest, userId: string, body: object): Promise<ShownAccount> {
    const sent = { userId, body, headers: { 'if-none-match': '*' } };
    return existing((await this.#call(request, putUser, sent)).user);
  }

  async change(request: FastifyRequest, userId: string, body: object): Promise<ShownAccount> {
    return existing((await this.#call(request, putUser, { userId, body })).user);
  }

  async deactivate(request: FastifyRequest, userId: string, erase: boolean): Promise<void> {
    await this.#call(request, deactivate, { userId, body: { erase } });
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
    const { users, total } = await this.#call(request, listUsers, {
      query: new URLSearchParams(query).toString(),
    });
    return { accounts: users, total: Number(total) };
  }

  async #call<Method extends DescMethodUnary>(
    request: FastifyRequest,
    method: Method,
    { userId, query = '', body, headers: sent = {} }: Sent,
  ): Promise<MessageShape<Method['output']>> {
    const binding = this.#bindings.get(method);
    if (!binding) throw new TypeError(`${method.name} has no path`);
    const read = binding.read({
      params: userId === undefined ? {} : { user_id: userId },
      query,
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      headers: sent,
    });
    // A key names one request, of which the calls are parts.
    const { [headers.idempotencyKey]: _, ...header } = headerOf(
      binding,
      request,
      this.#contexts,
      read,
      'native',
    );
    const answer = await this.#transport.unary(method, undefined, CALL_TIMEOUT_MS, header, read.message);
    return answer.message as Message as MessageShape<Method['output']>;
  }
}

/** The longest key of an account, in characters. */
const MAX_ID_LENGTH = 512;

function existing(user: ShownAccount | undefined): ShownAccount {
  if (!user) throw refuse.unavailable('The answer has no account');
  return user;
}
