import type { DescField } from '@bufbuild/protobuf';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { ALL_SCOPES, scopeName } from '@steward/rpc';
import type { HttpRequest } from '@steward/testing';
import { beforeAll, expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { type Caller, callersOf, expectedFor } from '../matrix/callers.ts';
import { administrative, type Method, methods } from '../matrix/methods.ts';
import {
  ADMITTED,
  expectedOf,
  MISSING_TOKEN,
  NO_ACCESS_TOKEN,
  type Outcome,
  outcomeOf,
  UNKNOWN_TOKEN,
} from '../matrix/outcome.ts';
import { ROLE_SCOPES, SCOPES } from '../matrix/role-scopes.ts';
import { absentId, sampleOf } from '../matrix/samples.ts';
import { type Cell, checkCells } from '../matrix/table.ts';
import { type Endpoint, fill } from '../served.ts';

/** Who may call a method of the client API that reads a token. */
const CLIENT_ACCESS: ReadonlySet<Access> = new Set([Access.OPTIONAL, Access.GUEST, Access.USER]);

/** The refusal of an automation token on the client API, before anything is called. */
const NO_AUTOMATION_TOKENS = '401 M_UNKNOWN_TOKEN: Automation tokens are not accepted on the client API';

chapter('Matrix of scopes', (world) => {
  const callers = callersOf(world);
  let everywhere: readonly Caller[];
  beforeAll(async () => {
    const [proved, unproved, ...sessionsOfRoles] = await callers.adminSessions();
    if (!proved || !unproved) throw new Error('There are no sessions');
    const others = await Promise.all([
      callers.everyRole(),
      callers.withoutSecondFactor(),
      callers.everyScope(),
      callers.actingAsOthers(),
      callers.automationTokensOfRoles(),
    ]);
    everywhere = [proved, unproved, ...sessionsOfRoles, ...others.flat()];
  });

  /** The callers of a method or field with a scope. */
  const callersAround = async (scope: string) => {
    const others = await Promise.all([callers.around(scope), callers.automationTokens(scope)]);
    return [...everywhere, ...others.flat()];
  };

  /** The outcome of a request, with one field set. */
  async function send(
    { verb, template, headers }: Pick<Endpoint, 'verb' | 'template' | 'headers'>,
    credentials: HttpRequest,
    field?: DescField,
  ): Promise<Outcome> {
    const value = field && { [field.name]: sampleOf(field, 'name') };
    const sent = verb === 'GET' ? { query: value as Record<string, string> } : { body: value };
    const { status, body } = await world.http(verb, fill(template, absentId), {
      ...credentials,
      headers: { ...headers, ...credentials.headers },
      ...(value && sent),
    });
    return outcomeOf(status, body?.errcode, body?.error);
  }

  /** The requests of some callers. */
  function ofCallers(
    { endpoints: [endpoint] }: Method,
    by: readonly Caller[],
    required: readonly string[],
    field?: DescField,
  ): readonly Cell[] {
    if (!endpoint) throw new Error('The method has no path');
    return by.map((caller) => ({
      name: caller.name,
      expected: expectedFor(caller, required),
      call: () => send(endpoint, caller.request, field),
    }));
  }

  /** The requests for the same method at its other paths, and below the original prefix, by a caller without the scope. */
  function ofOtherPaths({ endpoints, rules, scope }: Method & { scope: string }, caller: Caller) {
    const refused = expectedOf(caller.scopes, [scope]);
    const isOpen = rules.compatAccess === Access.NONE;
    return endpoints.flatMap(({ verb, template }): Cell[] => {
      const original = template
        .replace(/^\/_service\/admin/, '/_synapse/admin')
        .replace(/^\/_proto\/client/, '/_matrix/client');
      const call = (template: string) => () => send({ verb, template }, caller.request);
      return [
        { name: `at ${template}`, expected: refused, call: call(template) },
        { name: `at ${original}`, expected: isOpen ? ADMITTED : refused, call: call(original) },
      ];
    });
  }

  /** A request that states in headers between processes what only its token may say. */
  function withForgedHeaders({ endpoints: [endpoint] }: Method): Cell {
    const headers = {
      'steward-access-token': world.admin.token,
      'steward-credential': world.running.ports?.credential ?? '',
      'steward-profile': 'compat',
    };
    const call = () => send(endpoint as Endpoint, { headers });
    return { name: 'forged headers', expected: MISSING_TOKEN, call };
  }

  it('knows all scopes, and what the built-in roles permit', async () => {
    expect(ALL_SCOPES.map(scopeName)).toEqual(SCOPES);
    const { body } = await world.admin.get<{
      roles: { name: string; scopes: string[]; built_in: boolean }[];
    }>('/_service/admin/v1/roles');
    const builtIn = body.roles.filter((role) => role.built_in).map(({ name, scopes }) => [name, scopes]);
    expect(Object.fromEntries(builtIn)).toEqual(ROLE_SCOPES);
  });

  it.each(administrative.map((method) => [method.name, method] as const))('%s', async (_, method) => {
    await checkCells([
      ...ofCallers(method, await callersAround(method.scope), [method.scope]),
      ...ofOtherPaths(method, await callers.without(method.scope)),
      withForgedHeaders(method),
    ]);
  });

  const fields = administrative.flatMap((method) =>
    method.scopedFields.map((scoped) => [`${scoped.field.name} of ${method.name}`, method, scoped] as const),
  );
  it.each(fields)('%s', async (_, method, { field, scope }) => {
    const required = [method.scope, scope];
    const own = await callers.with(...new Set(required));
    await checkCells(ofCallers(method, [own, ...(await callersAround(scope))], required, field));
  });

  const ofUsers = methods.filter(({ rules }) => CLIENT_ACCESS.has(rules.access));

  it('lets other credentials than access tokens call the administrative API only', () => {
    const open = ofUsers.filter(({ rules }) => rules.anyCredential).flatMap(({ endpoints }) => endpoints);
    for (const { template } of open) expect(template).toMatch(/^\/_service\/admin\//);
  });

  const ofClients = ofUsers.filter(({ rules }) => !rules.anyCredential);
  it.each(ofClients.map((method) => [method.name, method] as const))('%s', async (_, method) => {
    const { access } = method.rules;
    const [token] = await callers.automationTokens('users:read');
    const [session] = await callers.adminSessions();
    const cells = method.endpoints.flatMap((endpoint): Cell[] => {
      const at = `${endpoint.verb} ${endpoint.template}`;
      const isOfClients = !endpoint.template.startsWith('/_service/admin/');
      const withCookie = access === Access.OPTIONAL ? ADMITTED : MISSING_TOKEN;
      const call = (request: HttpRequest | undefined) => send(endpoint, request ?? {});
      return [
        {
          name: `${at} automation token`,
          expected: isOfClients ? NO_AUTOMATION_TOKENS : NO_ACCESS_TOKEN,
          call: () => call(token?.request),
        },
        { name: `${at} cookie`, expected: withCookie, call: () => call(session?.request) },
        {
          name: `${at} secret of a session as token`,
          expected: UNKNOWN_TOKEN,
          call: () => call({ token: session?.token ?? '' }),
        },
      ];
    });
    await checkCells(cells);
  });

  it('serves no method over HTTP that has no path, and none at its path of RPC', async () => {
    const unserved = methods.filter(({ endpoints }) => endpoints.length === 0);
    expect(unserved.map(({ rules }) => rules.access)).toEqual(unserved.map(() => Access.INTERNAL));
    const { token } = world.admin;
    await checkCells(
      methods.map(({ name, desc }) => ({
        name,
        expected: '404 M_UNRECOGNIZED: Unrecognized request',
        call: () => send({ verb: 'POST', template: `/${desc.parent.typeName}/${desc.name}` }, { token }),
      })),
    );
  });
});
