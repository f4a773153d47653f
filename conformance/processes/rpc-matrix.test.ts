import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { RequestField } from '@steward/rpc';
import { beforeAll, expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { type TestClient, testClients } from '../clients.ts';
import { type Caller, callersOf, expectedFor } from '../matrix/callers.ts';
import { administrative, isRepresentative, type Method, methods } from '../matrix/methods.ts';
import { ADMITTED, expectedOf, MISSING_TOKEN, NO_ACCESS_TOKEN } from '../matrix/outcome.ts';
import {
  type CallHeaders,
  credentialHeader,
  NOT_CARRIED_OUT,
  type RpcClient,
  rpcClient,
  tokenHeader,
} from '../matrix/rpc-client.ts';
import { type Cell, checkCells } from '../matrix/table.ts';

const NOT_KNOWN = 'Unauthenticated: The credential is missing or wrong';
const NO_REQUESTER =
  '401 M_UNKNOWN_TOKEN: A client calls with its own scopes, and must not send an access token';

/** How many calls without the credential a connection may have; it is closed after a few more. */
const REFUSED_CALLS = 16;

chapter('Matrix of scopes over gRPC', (world) => {
  const callers = callersOf(world);
  let everywhere: readonly Caller[];
  let rpc: RpcClient;
  /** The headers of a process of the server that serves an HTTP client, and does not carry the call out. */
  let process: CallHeaders;
  beforeAll(async () => {
    const { ports } = world.running;
    if (!ports) throw new Error('The set-up has no ports of services');
    rpc = rpcClient(ports);
    const address = { 'steward-client-address': '127.0.0.1' };
    process = { ...credentialHeader(ports.credential), ...address, ...NOT_CARRIED_OUT };
    const [proved, unproved] = await callers.adminSessions();
    if (!proved || !unproved) throw new Error('There are no sessions');
    const others = await Promise.all([callers.everyRole(), callers.withoutSecondFactor()]);
    everywhere = [proved, unproved, ...others.flat()];
  });

  /** The callers of a method. */
  const callersFor = async (method: Method & { readonly scope: string }) => {
    const around = await callers.around(method.scope);
    if (!isRepresentative(method)) return around;
    return [...everywhere, ...around, ...(await callers.automationTokens(method.scope))];
  };

  /** The calls of a process of the server for some callers. */
  const ofCallers = (
    method: Method,
    by: readonly Caller[],
    required: readonly string[],
    field?: RequestField,
  ): readonly Cell[] =>
    by.map((caller) => ({
      name: caller.name,
      expected: expectedFor(caller, required),
      call: () => rpc.call(method, { ...process, ...tokenHeader(caller.token) }, field),
    }));

  /** The calls of clients, which are carried out. */
  const ofClients = (
    method: Method,
    by: readonly TestClient[],
    required: readonly string[],
    field?: RequestField,
  ): readonly Cell[] =>
    by.map(({ name, scopes, credential }) => ({
      name: `client ${name}`,
      expected: expectedOf(scopes, required),
      // Believed from a process, it would keep the call from being carried out.
      call: () => rpc.call(method, { ...credentialHeader(credential), ...NOT_CARRIED_OUT }, field),
    }));

  it.each(administrative.map((method) => [method.name, method] as const))('%s', async (_, method) => {
    const { scope } = method;
    const { all, only, allBut } = testClients;
    await checkCells([
      ...ofCallers(method, await callersFor(method), [scope]),
      ...ofClients(method, [only(scope), allBut(scope)], [scope]),
      { name: 'no token', expected: MISSING_TOKEN, call: () => rpc.call(method, process) },
      {
        name: 'a client that states a requester',
        expected: NO_REQUESTER,
        call: () =>
          rpc.call(method, { ...credentialHeader(all.credential), ...tokenHeader(world.admin.token) }),
      },
    ]);
  });

  const fields = administrative.flatMap((method) =>
    method.scopedFields.map((scoped) => [`${scoped.field.name} of ${method.name}`, method, scoped] as const),
  );
  it.each(fields)('%s', async (_, method, field) => {
    const { scope } = field;
    const required = [method.scope, scope];
    const own = await callers.with(...new Set(required));
    const { all, only, allBut } = testClients;
    await checkCells([
      ...ofCallers(method, [own, ...(await callers.around(scope))], required, field),
      ...ofClients(method, [all, only(scope), allBut(scope)], required, field),
    ]);
  });

  it('admits clients to no method of the client API, and to no internal one', async () => {
    const { all } = testClients;
    const others = methods.filter(({ rules }) => rules.access !== Access.ADMIN && !rules.anyCredential);
    await checkCells(
      others.map((method) => ({
        name: method.name,
        expected: NO_ACCESS_TOKEN,
        call: () => rpc.call(method, credentialHeader(all.credential)),
      })),
    );
  });

  it('admits other credentials than access tokens to no method of the client API', async () => {
    const [token] = await callers.automationTokens('users:read');
    const [session] = await callers.adminSessions();
    expect([token, session].map((caller) => caller?.token.length)).toEqual([59, 59]);
    const reading: readonly Access[] = [Access.OPTIONAL, Access.GUEST, Access.USER];
    const others = methods.filter(({ rules }) => reading.includes(rules.access) && !rules.anyCredential);
    await checkCells(
      others.flatMap((method) =>
        [token, session].map((caller) => ({
          name: `${method.name} ${caller?.name}`,
          expected: NO_ACCESS_TOKEN,
          call: () => rpc.call(method, { ...process, ...tokenHeader(caller?.token ?? '') }),
        })),
      ),
    );
  });

  it.each([
    ['no credential', {}],
    ['a wrong credential', credentialHeader('the credential of a stranger')],
  ])('admits %s to no method', async (_, sent: CallHeaders) => {
    const { ports } = world.running;
    if (!ports) throw new Error('The set-up has no ports of services');
    const headers = { ...tokenHeader(world.admin.token), ...sent };
    for (let n = 0; n < methods.length; n += REFUSED_CALLS) {
      const stranger = rpcClient(ports);
      await checkCells(
        methods.slice(n, n + REFUSED_CALLS).map((method) => ({
          name: method.name,
          expected: NOT_KNOWN,
          call: () => stranger.call(method, headers),
        })),
      );
    }
  });

  it('admits processes to internal methods', async () => {
    const internal = methods.filter(({ rules }) => rules.access === Access.INTERNAL);
    await checkCells(
      internal.map((method) => ({
        name: method.name,
        expected: ADMITTED,
        call: () => rpc.call(method, process),
      })),
    );
  });
});
