import type { Config } from '@steward/config';
import { toRefusal } from '@steward/errors';
import type { FastifyRequest } from 'fastify';
import type { Accounts } from './accounts.ts';
import { baseOf } from './base-of.ts';
import { changeOf, creationOf } from './change-of.ts';
import { requireMatch } from './entity-tags.ts';
import { matches } from './filter.ts';
import { type ListResponse, listOf } from './list-of.ts';
import type { ListQuery } from './list-query.ts';
import { patchUser } from './patch-user.ts';
import { planFilter } from './plan-filter.ts';
import { project } from './projection.ts';
import type { JsonObject } from './read-json.ts';
import { readUser, type SentUser } from './read-user.ts';
import { badRequest, notFound, ScimError } from './scim-error.ts';
import {
  isVisible,
  type ScimSettings,
  type ShownAccount,
  toResource,
  type UserResource,
} from './user-resource.ts';

/** Users, on top of accounts. */
export class Users {
  readonly #accounts: Accounts;
  readonly #config: Pick<Config, 'scim' | 'passwords' | 'server'>;

  constructor(accounts: Accounts, config: Pick<Config, 'scim' | 'passwords' | 'server'>) {
    this.#accounts = accounts;
    this.#config = config;
  }

  async list(request: FastifyRequest, query: ListQuery): Promise<ListResponse> {
    const settings = this.#settings(request);
    const plan = query.filter ? planFilter(query.filter) : { state: {} };
    const show = (account: ShownAccount) => project(toResource(settings, account), query);
    if (plan.state) {
      const { accounts, total } = await this.#accounts.page(request, settings, plan.state, query);
      return listOf(accounts.map(show), total, query.startIndex);
    }
    const serverName = this.#config.server.name;
    const found = new Map<string, ShownAccount>();
    for (const key of plan.keys) {
      for (const account of await this.#accounts.withKey(request, settings, serverName, key))
        found.set(account.name, account);
    }
    const matching = [...found.values()]
      .filter((account) => isVisible(settings, account))
      .filter((account) => !query.filter || matches(query.filter, toResource(settings, account)))
      .toSorted(inOrder(query));
    const from = query.startIndex - 1;
    return listOf(matching.slice(from, from + query.count).map(show), matching.length, query.startIndex);
  }

  async get(request: FastifyRequest, id: string): Promise<UserResource> {
    return toResource(this.#settings(request), await this.#existing(request, id));
  }

  async create(request: FastifyRequest, body: JsonObject): Promise<UserResource> {
    const settings = this.#settings(request);
    const sent = readUser(body);
    if (!sent.userName) throw badRequest('invalidValue', "'userName' is required");
    const id = `@${sent.userName.toLowerCase()}:${this.#config.server.name}`;
    const created = await this.#accounts
      .create(request, id, creationOf(settings, sent))
      .catch((error: unknown) => {
        if (toRefusal(error).errcode === 'M_PRECONDITION_FAILED')
          throw new ScimError(409, 'uniqueness', `There is an account ${id}`);
        throw error;
      });
    if (sent.active !== false) return toResource(settings, created);
    return toResource(settings, await this.#apply(request, settings, created, { active: false }));
  }

  /** Brings a user to what the request has. Attributes that it leaves out remain (RFC 7644, 3.5.1). */
  replace(request: FastifyRequest, id: string, body: JsonObject): Promise<UserResource> {
    return this.#change(request, id, () => {
      const sent = readUser(body);
      if (!sent.userName) throw badRequest('invalidValue', "'userName' is required");
      return sent;
    });
  }

  patch(request: FastifyRequest, id: string, body: JsonObject): Promise<UserResource> {
    return this.#change(request, id, (present) => patchUser(present, body));
  }

  async delete(request: FastifyRequest, id: string): Promise<void> {
    const settings = this.#settings(request);
    const account = await this.#existing(request, id);
    requireMatch(request.headers['if-match'], toResource(settings, account).meta.version);
    await this.#accounts.deactivate(request, account.name, settings.erases);
  }

  async #change(
    request: FastifyRequest,
    id: string,
    read: (present: UserResource) => SentUser,
  ): Promise<UserResource> {
    const settings = this.#settings(request);
    const account = await this.#existing(request, id);
    const present = toResource(settings, account);
    requireMatch(request.headers['if-match'], present.meta.version);
    return toResource(settings, await this.#apply(request, settings, account, read(present)));
  }

  async #apply(
    request: FastifyRequest,
    settings: ScimSettings,
    account: ShownAccount,
    sent: SentUser,
  ): Promise<ShownAccount> {
    const change = changeOf(settings, account, sent);
    return Object.keys(change).length === 0 ? account : this.#accounts.change(request, account.name, change);
  }

  async #existing(request: FastifyRequest, id: string): Promise<ShownAccount> {
    const account = await this.#accounts.find(request, id);
    if (!account || !isVisible(this.#settings(request), account)) throw notFound();
    return account;
  }

  #settings(request: FastifyRequest): ScimSettings {
    const { scim, passwords, server } = this.#config;
    return {
      base: baseOf(request, server.public_baseurl),
      authProvider: scim.auth_provider,
      inactive: scim.inactive,
      erases: scim.delete === 'erase',
      passwordsStored: passwords.localdb_enabled,
    };
  }
}

/** The order of the few users with some keys, the same as that of the account list. */
function inOrder({ orderBy = 'name', descending }: ListQuery): (a: ShownAccount, b: ShownAccount) => number {
  const keyOf = (account: ShownAccount) => {
    if (orderBy === 'creation_ts') return Number(account.creationTs);
    return orderBy === 'displayname' ? (account.displayname ?? '') : account.name;
  };
  return (a, b) => {
    const [first, second] = descending ? [keyOf(b), keyOf(a)] : [keyOf(a), keyOf(b)];
    return first < second ? -1 : Number(first > second);
  };
}
