import { path, type World } from '@steward/testing';
import { beforeAll, expect } from 'vitest';

/** The path of the service. */
export const SCIM = '/_service/scim/v2';
export const USERS = `${SCIM}/Users`;
export const GROUPS = `${SCIM}/Groups`;
const TOKENS = '/_service/admin/v1/tokens';
/** The scopes of the token of a directory. */
export const SCOPES = ['scim:write', 'users:read', 'users:write', 'users:credentials'];
/** Those of a directory that keeps groups as well. */
export const GROUP_SCOPES = [...SCOPES, 'access:read', 'access:write'];

/** Schemas of resources and messages. */
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The path of a user. */
export const at = (id: string) => path`/_service/scim/v2/Users/${id}`;
/** The path of a group. */
export const groupAt = (id: string) => path`/_service/scim/v2/Groups/${id}`;
/** The path of an account in the admin API. */
export const account = (id: string) => path`/_service/admin/v2/users/${id}`;

/** The refusal of a request, in the form of SCIM. */
export const refused = (status: number, scimType?: string) => ({
  status,
  body: { schemas: [ERROR], status: String(status), ...(scimType === undefined ? {} : { scimType }) },
});

interface Found {
  readonly totalResults: number;
  readonly Resources: readonly { readonly id: string }[];
}

/** A directory that keeps the accounts of a world. */
export function directoryOf(world: World, scopes: readonly string[] = SCOPES) {
  let token = '';
  beforeAll(async () => {
    token = await tokenWith(world, scopes);
  });
  const send = <Body = Record<string, unknown>>(verb: string, target: string, body?: unknown, headers = {}) =>
    world.http<Body>(verb, target, { token, headers, ...(body === undefined ? {} : { body }) });
  return {
    send,
    create: (fields: object) => send<{ id: string }>('POST', USERS, { schemas: [USER], ...fields }),
    patch: (id: string, ...Operations: readonly object[]) =>
      send('PATCH', at(id), { schemas: [PATCH], Operations }),
    find: (filter: string, rest = {}) =>
      send<Found>('GET', `${USERS}?${new URLSearchParams({ filter, ...rest })}`),
  };
}

/** An automation token with some scopes. */
export async function tokenWith(world: World, scopes: readonly string[]): Promise<string> {
  const made = await world.admin.post<{ token: string }>(TOKENS, { body: { name: 'directory', scopes } });
  expect(made).toMatchObject({ status: 200 });
  return made.body.token;
}
