import { getOption } from '@bufbuild/protobuf';
import { http } from '@steward/proto/google/api/annotations_pb.ts';
import { Access, Body, field as fieldOption } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import type { PutKeysRequest } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { USUAL_BODY_BYTES } from '@steward/rpc';
import { describe, expect, it } from 'vitest';
import { ODD_VALUES } from '../odd-values.ts';
import { refusal } from '../refusal.ts';
import { type Endpoint, fill, IDS, servedOnce } from '../served.ts';
import type { Call, Caller } from './gateway-alone.ts';
import { gatewayChapter } from './gateway-chapter.ts';

/** Deep enough to overflow the stack of a reader that recurses; just below the size limit of most bodies. */
const NESTED = `{"x":${'['.repeat(32_000)}${']'.repeat(32_000)}}`;

/** The size limit of the body of an endpoint, in bytes. */
const limitOf = ({ rules }: Endpoint) => rules.maxBodyBytes || USUAL_BODY_BYTES;

/** An object of a size in bytes. */
const objectOf = (bytes: number) => Buffer.alloc(bytes, ' ').fill('{}', 0, 2);

const NOT_JSON: readonly (readonly [string, string | Uint8Array])[] = [
  ['text', 'no JSON'],
  ['white space', ' \n'],
  ['half an object', '{"a":1'],
  ['two objects', '{}{}'],
  ['a comma too many', '{"a":1,}'],
  ['single quotes', "{'a':1}"],
  ['a comment', '{/**/}'],
  ['NaN', '{"x":NaN}'],
  ['Infinity', '{"x":-Infinity}'],
  ['a number that begins with 0', '{"x":01}'],
  ['a raw control character in a string', '{"x":"\n"}'],
  ['invalid UTF-8', Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xff]), Buffer.from('"}')])],
  ['overlong UTF-8', Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')])],
  ['UTF-16', Buffer.from('{}', 'utf16le')],
  ['NUL', '\0'],
  ['a form', 'a=1&b=2'],
];

const NO_OBJECT: readonly string[] = ['[]', '"x"', '1', '1.0', 'null', 'true', '[{}]', ' [1] '];

/** Objects without any key that an endpoint reads. */
const UNKNOWN_KEYS: readonly (readonly [string, string])[] = [
  ['unknown keys', '{"unknown":1,"":2,"__proto__":{"admin":true},"constructor":null}'],
  ['an integer beyond 2^53', '{"x":9007199254740993}'],
  ['a number out of range', '{"x":1e400}'],
  ['a whole number with a fraction', '{"x":1.0}'],
  ['an escaped NUL', '{"x":"\\u0000"}'],
  ['half a surrogate pair', '{"x":"\\ud800"}'],
  ['white space', ' \r\n\t{ "x" : 1 }\n '],
];

const named = servedOnce.map((endpoint) => ({
  ...endpoint,
  name: `${endpoint.verb} ${endpoint.template}`,
}));
const reading = named.filter(({ rules }) => rules.body !== Body.IGNORED);
const optional = reading.filter(({ rules }) => rules.body === Body.OPTIONAL);
const ignoring = named.filter(({ rules }) => rules.body === Body.IGNORED);

/** Whether the keys of the body are fields, rather than keys that clients choose. */
const hasOwnKeys = ({ method }: Endpoint) => getOption(method, http).body === '*';

gatewayChapter('0.5 Request bodies', (gateway) => {
  /** How to send a body to an endpoint, and which part of it reached a service. */
  function open({ verb, template, rules }: Endpoint) {
    const user = gateway.user();
    const { token } = rules.access === Access.ADMIN ? gateway.admin : user;
    const values: Record<string, string> = { ...IDS, user_id: user.userId, device_id: user.deviceId };
    const target = fill(template, (variable) => values[variable] ?? `a-${variable}`);
    const send = (rawBody: string | Uint8Array) =>
      gateway.http(verb, target, rules.access === Access.NONE ? { rawBody } : { token, rawBody });
    /** The status and errcode of the response to a body, and the calls it causes. */
    const outcome = async (rawBody: string | Uint8Array) => {
      const before = gateway.calls.length;
      const { status, body } = await send(rawBody);
      return { status, errcode: body?.errcode, calls: gateway.calls.slice(before) };
    };
    return { send, outcome };
  }

  describe.each(reading)('$name', (endpoint) => {
    it('refuses invalid JSON and values that are not objects', async () => {
      const { send } = open(endpoint);
      const before = gateway.calls.length;
      const refuses = async ([name, body]: (typeof NOT_JSON)[number], errcode: string) =>
        expect(await send(body), name).toMatchObject(refusal(400, errcode));
      const empty = endpoint.rules.body === Body.REQUIRED ? [['nothing', ''] as const] : [];
      for (const malformed of [...empty, ...NOT_JSON]) await refuses(malformed, 'M_NOT_JSON');
      for (const body of NO_OBJECT) await refuses([body, body], 'M_BAD_JSON');
      expect(gateway.calls).toHaveLength(before);
    });

    it.runIf(hasOwnKeys(endpoint))('ignores unknown keys, or refuses them if it declares that', async () => {
      const { outcome } = open(endpoint);
      const expected = endpoint.rules.refusesUnknownKeys
        ? { status: 400, errcode: 'M_INVALID_PARAM', calls: [] }
        : await outcome('{}');
      for (const [name, text] of UNKNOWN_KEYS) expect(await outcome(text), name).toEqual(expected);
    });

    it('accepts duplicate keys and values of any type without an internal error', async () => {
      const { send } = open(endpoint);
      expect((await send('{"x":1,"x":2}')).status).toBeLessThan(500);
      for (const field of endpoint.method.input.fields) {
        if (getOption(field, fieldOption).presentKeys || endpoint.template.includes(`{${field.name}}`))
          continue;
        for (const value of ODD_VALUES) {
          const body = `{"${field.name}":${value}}`;
          expect((await send(body)).status, body).toBeLessThan(500);
        }
      }
    });

    it('refuses excessive nesting', async () => {
      const before = gateway.calls.length;
      const reply = await open(endpoint).send(NESTED);
      expect(reply.status).toBe(400);
      expect(['M_BAD_JSON', 'M_NOT_JSON']).toContain(reply.body.errcode);
      expect(gateway.calls).toHaveLength(before);
    });

    it('refuses more than its size limit, and reads a body of that size as a smaller one', async () => {
      const { outcome } = open(endpoint);
      const limit = limitOf(endpoint);
      const tooLarge = { status: 413, errcode: 'M_TOO_LARGE', calls: [] };
      expect(await outcome(objectOf(limit + 1))).toEqual(tooLarge);
      expect(await outcome(objectOf(limit))).toEqual(await outcome('{}'));
    });
  });

  it.each(optional)('$name reads an absent body as an empty object', async (endpoint) => {
    const { outcome } = open(endpoint);
    const none = await outcome('');
    expect(none).toEqual(await outcome('{}'));
    expect(none.errcode).not.toBe('M_NOT_JSON');
  });

  describe('an endpoint without a body', () => {
    it.each(ignoring)('$name ignores the body', async (endpoint) => {
      const { outcome } = open(endpoint);
      const without = await outcome('');
      expect(without.status).toBeLessThan(500);
      for (const body of ['no JSON', '{"limit":"x"}', NESTED]) {
        expect(await outcome(body), body.slice(0, 20)).toEqual(without);
      }
      const isLimited = endpoint.verb !== 'GET' && endpoint.method.methodKind === 'unary';
      const larger = await outcome(objectOf(limitOf(endpoint) + 1));
      expect(larger).toMatchObject({ status: isLimited ? 413 : without.status });
    });
  });

  describe('a change of an account', () => {
    const target = '/_service/admin/v2/users/@somebody:test';
    const answerChange = () =>
      gateway.answer(AccountService.method.putUser, ({ userId, displayname = '' }) => ({
        user: { name: userId, displayname },
      }));

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/json; charset=utf-16',
      'nonsense',
      '',
    ])('a change of an account is read with any content type: %j', async (contentType) => {
      answerChange();
      const request = { headers: { 'content-type': contentType }, body: { displayname: 'Any type' } };
      expect(await gateway.admin.put(target, request)).toMatchObject({
        status: 200,
        body: { displayname: 'Any type' },
      });
    });

    it('accepts a body without a length', async () => {
      answerChange();
      const request = { headers: { 'transfer-encoding': 'chunked' }, body: { displayname: 'Chunked' } };
      expect(await gateway.admin.put(target, request)).toMatchObject({
        status: 200,
        body: { displayname: 'Chunked' },
      });
    });
  });

  describe('a large body', () => {
    const target = '/_proto/client/v3/room_keys/keys';
    const send = (rawBody: string | Uint8Array, headers = {}) =>
      gateway.user().put(target, { query: { version: '1' }, rawBody, headers });
    const sessions = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, n) => [
        `session-${n}`,
        {
          first_message_index: n,
          forwarded_count: 0,
          is_verified: n % 2 === 0,
          session_data: { ciphertext: 'c'.repeat(500), exact: 1 },
        },
      ]),
    );

    it('a large body is read like a small one', async () => {
      const text = JSON.stringify({ rooms: { '!room:test': { sessions }, __proto__: {} } }).replaceAll(
        '"exact":1',
        '"exact":1.0',
      );
      expect(await send(text)).toMatchObject({ status: 200 });
      const { message } = gateway.calls.at(-1) as Call;
      const { version, rooms } = message as PutKeysRequest;
      const read = Object.entries(rooms['!room:test']?.sessions ?? {});
      expect([version, read.length]).toEqual(['1', 2_000]);
      expect(read[7]).toMatchObject([
        'session-7',
        {
          firstMessageIndex: 7,
          isVerified: false,
          sessionData: `{"ciphertext":"${'c'.repeat(500)}","exact":1.0}`,
        },
      ]);
    });

    it('a large body is refused like a small one', async () => {
      const padding = ' '.repeat(100_000);
      expect(await send(padding)).toMatchObject(refusal(400, 'M_NOT_JSON'));
      expect(await send(`[]${padding}`)).toMatchObject(refusal(400, 'M_BAD_JSON'));
      expect(await send(`{}${padding}`)).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      expect(await send(`{"rooms":{"!r:test":{"sessions":7}}}${padding}`)).toMatchObject(
        refusal(400, 'M_BAD_JSON'),
      );
    });

    it('a large body is refused for too many values', async () => {
      expect(await send(`{"rooms":[${'[],'.repeat(100_000)}[]]}`)).toMatchObject(refusal(413, 'M_TOO_LARGE'));
    });

    it('may have no length', async () => {
      const reply = await send(JSON.stringify({ rooms: { '!room:test': { sessions } } }), {
        'transfer-encoding': 'chunked',
      });
      expect(reply).toMatchObject({ status: 200 });
    });
  });

  it.each([
    ['/_service/admin/v1/nothing', refusal(404, 'M_UNRECOGNIZED')],
    ['/_proto/client/versions', refusal(405, 'M_UNRECOGNIZED')],
  ])('%s, which reads no body, is refused whatever the size of the body', async (target, refused) => {
    expect(await gateway.http('PUT', target, { rawBody: objectOf(200_000) })).toMatchObject(refused);
  });
});

const BUDGET = { rate_limits: { large_bodies: { per_second: 1_000, burst: 300_000 } } };

gatewayChapter(
  'Large bodies of one user',
  (gateway) => {
    const body = (bytes: number) => ({ rawBody: objectOf(bytes) });
    const put = (user: Caller, bytes: number) =>
      user.put(`/_proto/client/v3/user/${user.userId}/account_data/x`, body(bytes));

    it('large bodies of one user are limited, and refused before they are read', async () => {
      const [user, other] = [gateway.user(), gateway.user()];
      expect(await put(user, 200_000)).toMatchObject({ status: 200 });
      const refused = await put(user, 200_000);
      expect(refused).toMatchObject(refusal(429, 'M_LIMIT_EXCEEDED'));
      // 100,000 bytes are too many, of which 1,000 leak in a second.
      expect(refused.body.retry_after_ms).toBe(100_000);
      expect(await put(other, 200_000)).toMatchObject({ status: 200 });
      expect(await put(user, 65_536)).toMatchObject({ status: 200 });
    });

    it('large bodies of one user that are refused for their size are not counted', async () => {
      const user = gateway.user();
      expect(await put(user, 2_000_000)).toMatchObject(refusal(413, 'M_TOO_LARGE'));
      expect(await put(user, 300_000)).toMatchObject({ status: 200 });
    });
  },
  BUDGET,
);
