import type { Config } from '@steward/config';
import { toRefusal } from '@steward/errors';
import { GroupService } from '@steward/proto/steward/user/v1/groups_pb.ts';
import type { FastifyRequest } from 'fastify';
import type { AdminCalls } from './admin-calls.ts';
import { baseOf } from './base-of.ts';
import { requireMatch } from './entity-tags.ts';
import { matches, mentions, type ScimFilter } from './filter.ts';
import { type GroupResource, type ShownGroup, type ShownMember, toGroupResource } from './group-resource.ts';
import { type ListResponse, listOf } from './list-of.ts';
import type { ListQuery } from './list-query.ts';
import { type Projection, project, shows } from './projection.ts';
import { patchGroup, readGroup, type SentGroup } from './read-group.ts';
import type { JsonObject } from './read-json.ts';
import { badRequest, notFound, ScimError } from './scim-error.ts';

const {
  listGroups,
  createGroup,
  getGroup,
  updateGroup,
  deleteGroup,
  listGroupMembers,
  addGroupMember,
  removeGroupMember,
} = GroupService.method;

/** Whose members a directory sees and changes. */
const BY = 'scim';

/** The size of pages of the administration API. */
const PAGE = '1000';

/** The most groups of a page that shows their members, the most members that are shown, and the most groups that a filter of members names. */
const MAX_GROUPS_WITH_MEMBERS = 20;
const MAX_SHOWN_MEMBERS = 10_000;
const MAX_NAMED = 20;

/** Groups, on top of those of the administration API. */
export class Groups {
  readonly #calls: AdminCalls;
  readonly #server: Config['server'];

  constructor(calls: AdminCalls, { server }: Pick<Config, 'server'>) {
    this.#calls = calls;
    this.#server = server;
  }

  async list(request: FastifyRequest, query: ListQuery): Promise<ListResponse> {
    const base = this.#base(request);
    const { filter, startIndex } = query;
    const ofMembers = filter !== undefined && mentions(filter, 'members');
    // The server has few groups, so that all of them are compared.
    const all = await this.#all(request);
    let found = all.map((group) => ({ group, shown: toGroupResource(base, group, undefined) as object }));
    if (filter && ofMembers) {
      const named = found.filter(({ shown }) => matches(withoutMembers(filter), shown));
      if (named.length > MAX_NAMED)
        throw badRequest(
          'invalidFilter',
          'A filter of members names the group by id, displayName or externalId',
        );
      found = await Promise.all(
        named.map(async ({ group }) => ({ group, shown: await this.#show(request, group) })),
      );
    }
    if (filter) found = found.filter(({ shown }) => matches(filter, shown));
    found.sort(inOrder(query));
    const withMembers = shows(query, 'members');
    const count = withMembers ? Math.min(query.count, MAX_GROUPS_WITH_MEMBERS) : query.count;
    const page = found.slice(startIndex - 1, startIndex - 1 + count);
    const shown: object[] = [];
    for (const { group, shown: known } of page)
      shown.push(project(withMembers ? await this.#show(request, group) : known, query));
    return listOf(shown, found.length, startIndex);
  }

  async get(request: FastifyRequest, id: string, projection: Projection): Promise<GroupResource> {
    return this.#show(request, await this.#existing(request, id), shows(projection, 'members'));
  }

  async create(request: FastifyRequest, body: JsonObject): Promise<GroupResource> {
    const sent = readGroup(body);
    await this.#requireFree(request, sent.displayName ?? '');
    const { group } = await this.#calls.send(request, createGroup, {
      body: { name: sent.displayName, ...(sent.externalId ? { external_id: sent.externalId } : {}) },
    });
    if (!group) throw notFound();
    await this.#setMembers(request, group.id, sent);
    return this.#show(request, group);
  }

  /** Brings a group to what the request has. Attributes that it leaves out remain (RFC 7644, 3.5.1). */
  replace(
    request: FastifyRequest,
    id: string,
    body: JsonObject,
    projection: Projection,
  ): Promise<GroupResource> {
    return this.#change(request, id, () => readGroup(body), projection);
  }

  patch(
    request: FastifyRequest,
    id: string,
    body: JsonObject,
    projection: Projection,
  ): Promise<GroupResource> {
    return this.#change(request, id, () => patchGroup(body), projection);
  }

  async delete(request: FastifyRequest, id: string): Promise<void> {
    await this.#requireVersion(request, await this.#existing(request, id));
    await this.#calls.send(request, deleteGroup, { params: { id } });
  }

  async #change(
    request: FastifyRequest,
    id: string,
    read: () => SentGroup,
    projection: Projection,
  ): Promise<GroupResource> {
    const group = await this.#existing(request, id);
    await this.#requireVersion(request, group);
    const sent = read();
    const { displayName, externalId } = sent;
    const change = {
      ...(displayName === undefined || displayName === group.name ? {} : { name: displayName }),
      ...(externalId === undefined || externalId === (group.externalId ?? '')
        ? {}
        : { external_id: externalId }),
    };
    if (change.name !== undefined) await this.#requireFree(request, change.name, id);
    if (Object.keys(change).length > 0)
      await this.#calls.send(request, updateGroup, { params: { id }, body: change });
    await this.#setMembers(request, id, sent);
    return this.get(request, id, projection);
  }

  /** Adds and takes out members; each is a change of its own. */
  async #setMembers(request: FastifyRequest, id: string, { members, changes }: SentGroup): Promise<void> {
    const all = new Map<string, boolean>(members?.map((member) => [member, true]));
    if (members) {
      for await (const { userId } of this.#members(request, id)) if (!all.has(userId)) all.set(userId, false);
    }
    for (const [member, isAdded] of changes) all.set(member, isAdded);
    for (const [user_id, isIn] of all) {
      const params = { id, user_id };
      try {
        await (isIn
          ? this.#calls.send(request, addGroupMember, { params, body: { by: BY } })
          : this.#calls.send(request, removeGroupMember, { params, query: `by=${BY}` }));
      } catch (error) {
        const { status, errcode } = toRefusal(error);
        const isUnknown = status === 404 || (status === 400 && errcode === 'M_INVALID_PARAM');
        if (!isUnknown) throw error;
        // Who does not exist is not in the group.
        if (isIn) throw badRequest('invalidValue', `There is no user ${user_id}`);
      }
    }
  }

  async #all(request: FastifyRequest): Promise<readonly ShownGroup[]> {
    const all: ShownGroup[] = [];
    for (let from: string | undefined; ; ) {
      const query = new URLSearchParams({ limit: PAGE, ...(from === undefined ? {} : { from }) });
      const page = await this.#calls.send(request, listGroups, { query: query.toString() });
      all.push(...page.groups);
      from = page.nextToken;
      if (from === undefined) return all;
    }
  }

  async *#members(request: FastifyRequest, id: string): AsyncIterable<ShownMember> {
    for (let from: string | undefined; ; ) {
      const query = new URLSearchParams({ limit: PAGE, ...(from === undefined ? {} : { from }) });
      const page = await this.#calls.send(request, listGroupMembers, {
        params: { id },
        query: query.toString(),
      });
      yield* page.members.filter(({ by }) => by.includes(BY));
      from = page.nextToken;
      if (from === undefined) return;
    }
  }

  async #show(request: FastifyRequest, group: ShownGroup, withMembers = true): Promise<GroupResource> {
    const members: ShownMember[] = [];
    if (withMembers) {
      for await (const member of this.#members(request, group.id))
        if (members.push(member) > MAX_SHOWN_MEMBERS)
          return toGroupResource(this.#base(request), group, undefined);
    }
    return toGroupResource(this.#base(request), group, withMembers ? members : undefined);
  }

  async #existing(request: FastifyRequest, id: string): Promise<ShownGroup> {
    try {
      const { group } = await this.#calls.send(request, getGroup, { params: { id } });
      if (group) return group;
    } catch (error) {
      if (toRefusal(error).status !== 404) throw error;
    }
    throw notFound();
  }

  async #requireVersion(request: FastifyRequest, group: ShownGroup): Promise<void> {
    const asked = request.headers['if-match'];
    if (asked === undefined) return;
    requireMatch(asked, (await this.#show(request, group)).meta.version ?? '');
  }

  /** @throws ScimError when another group has the name */
  async #requireFree(request: FastifyRequest, name: string, id?: string): Promise<void> {
    const query = new URLSearchParams({ name, limit: '1' }).toString();
    const { groups } = await this.#calls.send(request, listGroups, { query });
    if (groups.some((group) => group.id !== id))
      throw new ScimError(409, 'uniqueness', `There is a group with the name ${name}`);
  }

  #base(request: FastifyRequest): string {
    return baseOf(request, this.#server.public_baseurl);
  }
}

/** What a filter says about others than members: a condition that all groups meet that it matches. */
function withoutMembers(filter: ScimFilter): ScimFilter {
  if (!mentions(filter, 'members')) return filter;
  if (filter.op === 'and') return { op: 'and', filters: filter.filters.map(withoutMembers) };
  return { op: 'pr', attrPath: 'id' };
}

function inOrder({ orderBy = 'name', descending }: ListQuery) {
  const keyOf = ({ group }: { readonly group: ShownGroup }) => {
    if (orderBy === 'id') return group.id;
    return orderBy === 'creation_ts'
      ? `${String(group.createdTs).padStart(16, '0')}`
      : group.name.toLowerCase();
  };
  return (a: { readonly group: ShownGroup }, b: { readonly group: ShownGroup }) => {
    const [first, second] = descending ? [keyOf(b), keyOf(a)] : [keyOf(a), keyOf(b)];
    return first < second ? -1 : Number(first > second);
  };
}
