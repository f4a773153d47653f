import { type DescField, getOption, ScalarType } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { http } from '@steward/proto/google/api/annotations_pb.ts';
import { Access, Body, field as fieldOption } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { type Endpoint, fill, servedOnce } from './served.ts';

const MEBIBYTE = 1024 * 1024;

/** Deep enough to overflow the stack of a reader that recurses; 1 MiB long. */
const NESTED = `{"x":${'['.repeat(MEBIBYTE / 2)}${']'.repeat(MEBIBYTE / 2)}}`;

/** More than the largest body that is accepted, which has 12.5 MiB. */
const OVERSIZED = Buffer.alloc(13 * MEBIBYTE, ' ');

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

/** Objects without any key that an endpoint knows. */
const UNKNOWN_KEYS: readonly (readonly [string, string])[] = [
  ['unknown keys', '{"unknown":1,"":2,"__proto__":{"admin":true},"constructor":null}'],
  ['an integer beyond 2^53', '{"x":9007199254740993}'],
  ['a number beyond all', '{"x":1e400}'],
  ['a whole number with a fraction', '{"x":1.0}'],
  ['an escaped NUL', '{"x":"\\u0000"}'],
  ['half a surrogate pair', '{"x":"\\ud800"}'],
  ['white space', ' \r\n\t{ "x" : 1 }\n '],
];

/** Of the wrong type, or unusual, for most fields. */
const ODD_VALUES: readonly string[] = [
  ...['null', 'true', '0', '-1', '1.0', '1e400', '9007199254740993'],
  ...['""', '" "', '"\\u0000"', '"\\udfff"', '"__proto__"'],
  ...['[]', '[null]', '[[]]', '[{}]', '["\\u0000"]', '{}', '{"":{}}'],
];

/** Values that read, by the names of the variables that hold them. */
const IDS: Readonly<Record<string, string>> = {
  alias: '#alias:test',
  event_id: '$event',
  kind: 'override',
  receipt_type: 'm.read',
  room_id: '!room:test',
  room_id_or_alias: '!room:test',
};

/** Whether a value is of a type that a field may have, so that a service is asked with it. */
function fits({ fieldKind, scalar }: DescField, value: string): boolean {
  switch (fieldKind) {
    case 'list':
      return value.startsWith('[');
    case 'scalar':
      if (scalar === ScalarType.STRING) return value.startsWith('"');
      return scalar === ScalarType.BOOL ? value === 'true' : /^[-\d]/.test(value);
    default:
      return true;
  }
}

const named = servedOnce.map((endpoint) => ({
  ...endpoint,
  name: `${endpoint.verb} ${endpoint.template}`,
}));
const reading = named.filter(({ rules }) => rules.body !== Body.IGNORED);
const optional = reading.filter(({ rules }) => rules.body === Body.OPTIONAL);
const ignoring = named.filter(({ rules }) => rules.body === Body.IGNORED);

/** For what the gateway does alike whatever the method: the first of each service, access and rule of bodies. */
const kinds = new Map(
  named.map((endpoint) => {
    const { access, body } = endpoint.rules;
    return [`${endpoint.method.parent.typeName} ${access} ${body}`, endpoint] as const;
  }),
);
const samples = [...kinds.values()];

/** For an endpoint one case of a kind that is dealt with alike whatever the method, in turn; all of them for samples. */
function some<Case>(endpoint: Endpoint, cases: readonly Case[]): readonly Case[] {
  const turn = reading.findIndex(({ method }) => method === endpoint.method) % cases.length;
  return samples.some(({ method }) => method === endpoint.method) ? cases : cases.slice(turn, turn + 1);
}

/** Whether the keys of the body are fields, rather than what clients call them. */
const hasOwnKeys = ({ method }: Endpoint) => getOption(method, http).body === '*';

chapter('0.5 Request bodies', (world, { dear }) => {
  /** A user to try an endpoint on, new unless given, and how to send a body to it. */
  async function open({ verb, template, rules }: Endpoint, known?: Actor) {
    const user = known ?? (await world.user());
    const token = rules.access === Access.ADMIN ? world.admin.token : user.token;
    const values: Record<string, string> = { ...IDS, user_id: user.userId, device_id: user.deviceId };
    const target = fill(template, (variable) => values[variable] ?? `a-${variable}`);
    const send = (rawBody: string | Uint8Array) =>
      world.http(verb, target, rules.access === Access.NONE ? { rawBody } : { token, rawBody });
    return { user, send };
  }

  /** What a request could have changed of a user. */
  async function look(user: Actor) {
    const { body: account } = await world.admin.get(path`/_service/admin/v2/users/${user.userId}`);
    const { body: list } = await world.admin.get<{ devices: { device_id: string; display_name?: string }[] }>(
      path`/_service/admin/v2/users/${user.userId}/devices`,
    );
    const { body: all } = await world.admin.get(
      '/_service/admin/v2/users?deactivated=true&locked=true&limit=0',
    );
    const devices = list.devices.map(({ device_id, display_name }) => ({ device_id, display_name }));
    return { ...account, last_seen_ts: undefined, devices, accounts: all.total };
  }

  describe.each(reading)('$name', (endpoint) => {
    let opened: Awaited<ReturnType<typeof open>>;
    beforeAll(async () => {
      opened = await open(endpoint);
    });

    it('refuses what is no JSON, and what is no object', async () => {
      const { user, send } = opened;
      const before = await look(user);
      const refuses = async ([name, body]: (typeof NOT_JSON)[number], errcode: string) =>
        expect(await send(body), name).toMatchObject(refusal(400, errcode));
      const empty = endpoint.rules.body === Body.REQUIRED ? [['nothing', ''] as const] : [];
      await Promise.all([
        ...[...empty, ...some(endpoint, NOT_JSON)].map((flaw) => refuses(flaw, 'M_NOT_JSON')),
        ...some(endpoint, NO_OBJECT).map((body) => refuses([body, body], 'M_BAD_JSON')),
      ]);
      expect(await look(user)).toEqual(before);
    });

    it.runIf(hasOwnKeys(endpoint))('reads an object without known keys as an empty one', async () => {
      const { send } = opened;
      const { status, body } = await send('{}');
      const same = body.errcode === undefined ? { status } : refusal(status, String(body.errcode));
      for (const [name, text] of some(endpoint, UNKNOWN_KEYS)) {
        expect(await send(text), name).toMatchObject(same);
      }
    });

    it('does not fail on keys that come twice, or values of any type', async () => {
      const { send } = opened;
      expect((await send('{"x":1,"x":2}')).status).toBeLessThan(500);
      for (const field of endpoint.method.input.fields) {
        if (getOption(field, fieldOption).presentKeys || endpoint.template.includes(`{${field.name}}`))
          continue;
        const survives = async (value: string) => {
          const body = `{"${field.name}":${value}}`;
          expect((await send(body)).status, body).toBeLessThan(500);
        };
        // What does not fit is refused before a service is asked, alike in all set-ups.
        await Promise.all(ODD_VALUES.filter((value) => !dear || fits(field, value)).map(survives));
      }
    });
  });

  describe.each(samples.filter(({ rules }) => rules.body !== Body.IGNORED))('$name', (endpoint) => {
    it('refuses what is nested too deeply', async () => {
      const { user, send } = await open(endpoint);
      const before = await look(user);
      const reply = await send(NESTED);
      expect(reply.status).toBe(400);
      expect(['M_BAD_JSON', 'M_NOT_JSON']).toContain(reply.body.errcode);
      expect(await look(user)).toEqual(before);
    });

    it('refuses what is too large', async () => {
      const { user, send } = await open(endpoint);
      const before = await look(user);
      expect(await send(OVERSIZED)).toMatchObject(refusal(413, 'M_TOO_LARGE'));
      expect(await look(user)).toEqual(before);
    });
  });

  it.each(optional)('$name takes no body for an empty object', async (endpoint) => {
    const none = await (await open(endpoint)).send('');
    const empty = await (await open(endpoint)).send('{}');
    expect([none.status, none.body.errcode]).toEqual([empty.status, empty.body.errcode]);
    expect(none.body.errcode).not.toBe('M_NOT_JSON');
  });

  describe('without a body that counts', () => {
    let reader: Actor;
    beforeAll(async () => {
      reader = await world.user();
    });

    it.each(ignoring)('$name does not look at the body', async (endpoint) => {
      const reads = endpoint.method.idempotency === Idempotency.NO_SIDE_EFFECTS;
      const bodies = ['no JSON', ...(reads ? ['{"limit":"x"}'] : [])];
      if (samples.includes(endpoint)) bodies.push(NESTED);
      // What a request changes, the next one must not meet.
      const send = async (body: string) => (await open(endpoint, reads ? reader : undefined)).send(body);
      const { status } = await send('');
      expect(status).toBeLessThan(500);
      for (const body of bodies) expect((await send(body)).status, body.slice(0, 20)).toBe(status);
    });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=utf-16',
    'nonsense',
    '',
  ])('the content type %j is ignored', async (contentType) => {
    const target = path`/_service/admin/v2/users/${await world.account()}`;
    const request = { headers: { 'content-type': contentType }, body: { displayname: 'Any type' } };
    expect(await world.admin.put(target, request)).toMatchObject({
      status: 200,
      body: { displayname: 'Any type' },
    });
  });

  it('a body without its length is read as well', async () => {
    const target = path`/_service/admin/v2/users/${await world.account()}`;
    const request = { headers: { 'transfer-encoding': 'chunked' }, body: { displayname: 'Chunked' } };
    expect(await world.admin.put(target, request)).toMatchObject({ status: 200 });
  });

  it('a body just below the limit is read', async () => {
    const target = path`/_service/admin/v2/users/${await world.account()}`;
    const rawBody = `{"displayname":"Long"${' '.repeat(12 * MEBIBYTE)}}`;
    expect(await world.admin.put(target, { rawBody })).toMatchObject({
      status: 200,
      body: { displayname: 'Long' },
    });
  });
});
