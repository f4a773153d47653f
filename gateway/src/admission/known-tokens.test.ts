import { type ConnectError, createRouterTransport, type Transport } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { headers } from '@steward/rpc';
import { expect, it } from 'vitest';
import { KnownTokens } from './known-tokens.ts';

/** Calls a service that answers with the given header, or refuses. */
async function call(tokens: KnownTokens, answer: string | ConnectError, asks = true): Promise<void> {
  const transport = createRouterTransport(({ service }) => {
    service(SessionService, {
      whoAmI(_, { responseHeader }) {
        if (typeof answer !== 'string') throw answer;
        responseHeader.set(headers.callerName, answer);
        return {};
      },
    });
  });
  const sent = { [headers.accessToken]: 'token', ...(asks ? { [headers.nameCaller]: 'yes' } : {}) };
  const method = SessionService.method.whoAmI;
  await (tokens.learnFrom(transport) satisfies Transport)
    .unary(method, undefined, undefined, sent, {})
    .catch(() => {});
}

const ALICE = 'user %40alice%3Atest';
const ALICE_AS_ADMINISTRATOR = 'administrator %40alice%3Atest';

it('a token is known when an answer names its owner, until it is refused', async () => {
  const tokens = new KnownTokens();
  expect(tokens.find('token')).toBeUndefined();
  await call(tokens, ALICE);
  expect(tokens.find('token')).toEqual({
    caller: { key: 'user @alice:test', kind: 'user', userId: '@alice:test' },
    isDue: false,
  });
  await call(tokens, refuse.forbidden('no'));
  expect(tokens.find('token')).toBeDefined();
  await call(tokens, refuse.unknownToken('unknown'));
  expect(tokens.find('token')).toBeUndefined();
});

it('a token is known after a refusal with 401 that names its owner, such as a step of interactive authentication', async () => {
  const tokens = new KnownTokens();
  const refusal = refuse.unknownToken('prove it') as ConnectError;
  refusal.metadata.set(headers.callerName, ALICE);
  await call(tokens, refusal);
  expect(tokens.find('token')).toMatchObject({ caller: { key: 'user @alice:test' } });
});

it('the name is asked for again after some time, and forgotten when it was not learned anew', async () => {
  const tokens = new KnownTokens();
  await call(tokens, ALICE_AS_ADMINISTRATOR);
  for (let second = 0; second < 31; second++) tokens.tick();
  expect(tokens.find('token')).toMatchObject({ caller: { kind: 'administrator' }, isDue: true });
  await call(tokens, ALICE);
  expect(tokens.find('token')).toMatchObject({ caller: { kind: 'user' }, isDue: false });
  for (let second = 0; second < 301; second++) tokens.tick();
  expect(tokens.find('token')).toBeUndefined();
});

it('an answer to a call that did not ask is not believed', async () => {
  const tokens = new KnownTokens();
  await call(tokens, ALICE, false);
  expect(tokens.find('token')).toBeUndefined();
});
