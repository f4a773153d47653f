import { Access, Body, Mode, NullValue, Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { RegistrationService } from '@steward/proto/steward/user/v1/registration_pb.ts';
import { ServerService } from '@steward/proto/steward/user/v1/server_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { describe, expect, test } from 'vitest';
import {
  bool,
  bytes,
  type ContractSpec,
  contract,
  double,
  int32,
  int64,
  list,
  type MethodSpec,
  map,
  message,
  optional,
  present,
  string,
  uint32,
} from '../testing/contract.ts';
import type { Comments } from './comments.ts';
import { openApi } from './document.ts';

const info = { title: 'Test', version: '1' };
const silent: Comments = () => undefined;

// biome-ignore lint/suspicious/noExplicitAny: the tests read a document at many depths
type Loose = any;

const document = (spec: ContractSpec, comments = silent): Loose => openApi([contract(spec)], info, comments);

const get = { pattern: { case: 'get', value: '/x' } } as const;
const put = { pattern: { case: 'put', value: '/x/{id}' }, body: '*' } as const;

const answer = (
  response: MethodSpec['response'] & object,
  messages: ContractSpec['messages'] = {},
): Loose => {
  const { paths, components } = document({ messages, methods: { Do: { http: get, response } } });
  return { schema: paths['/x'].get.responses['200'].content['application/json'].schema, ...components };
};

const body = (request: MethodSpec['request'] & object, messages: ContractSpec['messages'] = {}): Loose => {
  const rules = { body: Body.REQUIRED };
  const { paths, components } = document({ messages, methods: { Do: { http: put, rules, request } } });
  return { ...paths['/x/{id}'].put.requestBody.content['application/json'].schema, ...components };
};

describe('answers', () => {
  test('have one component each, which requires the fields that are always written', () => {
    const { schema, schemas } = answer([
      string('s'),
      optional(string('o')),
      optional(int64('n', { nullable: true })),
      bool('bit', { bit: true }),
      int32('i'),
      uint32('u'),
      double('d'),
      list(string('l')),
      map(bool('m')),
      string('j', { json: true }),
    ]);
    expect(schema).toEqual({ $ref: '#/components/schemas/DoResponse' });
    expect(schemas.DoResponse).toEqual({
      type: 'object',
      properties: {
        s: { type: 'string' },
        o: { type: 'string' },
        n: { type: ['integer', 'null'], format: 'int64' },
        bit: { type: 'integer', enum: [0, 1] },
        i: { type: 'integer', format: 'int32' },
        u: { type: 'integer', format: 'int32', minimum: 0 },
        d: { type: 'number', format: 'double' },
        l: { type: 'array', items: { type: 'string' } },
        m: { type: 'object', additionalProperties: { type: 'boolean' } },
        j: {},
      },
      required: ['s', 'n', 'bit', 'i', 'u', 'd', 'l', 'm', 'j'],
    });
  });

  test('answers that consist of one flattened message are that message', () => {
    const messages = { User: [string('name')] };
    const response = [message('user', 'User', { flatten: true }), bool('created', { created: true })];
    expect(answer(response, messages).schema).toEqual({ $ref: '#/components/schemas/User' });
  });

  test('have the fields of flattened messages among their own', () => {
    const { schemas } = answer([message('user', 'User', { flatten: true }), string('more')], {
      User: [string('name')],
    });
    expect(schemas.DoResponse.properties).toEqual({ name: { type: 'string' }, more: { type: 'string' } });
    expect(schemas.DoResponse.required).toEqual(['name', 'more']);
  });

  test('hold recursive messages, or null', () => {
    const { schemas } = answer([message('row', 'Row', { nullable: true })], {
      Row: [list(message('rows', 'Row'))],
    });
    const $ref = '#/components/schemas/Row';
    expect(schemas.DoResponse.properties.row).toEqual({ anyOf: [{ $ref }, { type: 'null' }] });
    expect(schemas.Row.properties.rows).toEqual({ type: 'array', items: { $ref } });
  });

  test('include 201 where a method may create', () => {
    const { paths } = document({
      methods: { Do: { http: get, response: [bool('created', { created: true })] } },
    });
    expect(Object.keys(paths['/x'].get.responses)).toEqual([
      '200',
      '201',
      '400',
      '401',
      '403',
      '429',
      '431',
      '503',
    ]);
  });

  test('can be one field', () => {
    const methods = { Do: { http: { ...get, responseBody: 'rows' }, response: [list(string('rows'))] } };
    const { responses } = document({ methods }).paths['/x'].get;
    expect(responses['200'].content['application/json'].schema).toEqual({
      type: 'array',
      items: { type: 'string' },
    });
  });
});

test('streams of bytes may be a range, or not modified', () => {
  const head = message('head', 'steward.http.v1.ContentHead');
  const of = (request: MethodSpec['request'] & object) => {
    const response = [head, bytes('data', { raw: true })];
    const methods = { Do: { http: get, streams: 'answers', request, response } } as const;
    const { responses } = document({ methods }).paths['/x'].get;
    return Object.keys(responses).filter((status) => Number(status) < 400 || status === '416');
  };
  expect(of([])).toEqual(['200']);
  const asking = [string('range', { header: 'range' }), string('known', { header: 'if-none-match' })];
  expect(of(asking)).toEqual(['200', '206', '304', '416']);
});

describe('request bodies', () => {
  test('have the fields that are read from them, with their bounds', () => {
    const schema = body([
      string('id'),
      present,
      optional(string('q', { query: true })),
      string('kind', { onMissing: 'M_MISSING_PARAM', values: ['a', 'b'], null: NullValue.ABSENT }),
      string('name', { maxLength: 9 }),
      int64('n', { minimum: 0n }),
      list(string('l', { null: NullValue.PRESENT })),
    ]);
    expect(schema).toMatchObject({
      type: 'object',
      properties: {
        kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
        name: { type: 'string', maxLength: 9 },
        n: { type: 'integer', format: 'int64', minimum: 0 },
        l: { type: ['array', 'null'], items: { type: 'string' } },
      },
      required: ['kind'],
    });
    expect(Object.keys(schema.properties)).toEqual(['kind', 'name', 'n', 'l']);
  });

  test('say where any type is accepted', () => {
    const { properties } = body([
      string('id'),
      bool('t', { truthy: true }),
      string('l', { lenient: true, null: NullValue.ABSENT, maxLength: 5 }),
    ]);
    expect(properties.t).toEqual({ description: expect.stringContaining('any type') });
    expect(properties.l).toEqual({ maxLength: 5, description: expect.stringContaining('treated as null') });
  });

  test('describe a message separately when answers hold it too', () => {
    const rules = { body: Body.OPTIONAL };
    const items = list(message('items', 'Item'));
    const methods = {
      Do: { http: put, rules, request: [string('id'), items, message('own', 'Own')], response: [items] },
    };
    const messages = { Item: [string('a', { onMissing: 'M_MISSING_PARAM' }), string('b')], Own: [] };
    const { paths, components } = document({ messages, methods });
    expect(components.schemas.Item.required).toEqual(['a', 'b']);
    expect(components.schemas['Item-Input'].required).toEqual(['a']);
    expect(components.schemas.Own).toBeDefined();
    expect(paths['/x/{id}'].put.requestBody.required).toBe(false);
  });

  test('can be free JSON', () => {
    const rules = { body: Body.REQUIRED };
    const request = [string('id'), string('content', { json: true })];
    const { paths } = document({ methods: { Do: { http: { ...put, body: 'content' }, rules, request } } });
    expect(paths['/x/{id}'].put.requestBody).toEqual({
      description: 'At most 64 KiB.',
      'x-max-body-bytes': 65_536,
      required: true,
      content: { 'application/json': { schema: { type: 'object' }, example: {} } },
    });
  });
});

test('parameters are those of the path, the query, and the reason of an administrator', () => {
  const http = { pattern: { case: 'get', value: '/x/{id}' } } as const;
  const request = [
    int64('id'),
    string('dir', { values: ['f', 'b'] }),
    string('user', { pattern: '^@' }),
    int64('ts', { onMissing: 'M_MISSING_PARAM', minimum: 5n }),
    list(string('not')),
  ];
  const { parameters } = document({ methods: { Do: { http, request } } }).paths['/x/{id}'].get;
  expect(parameters).toEqual([
    { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
    { name: 'dir', in: 'query', required: false, schema: { type: 'string', enum: ['f', 'b'] }, example: 'f' },
    { name: 'user', in: 'query', required: false, schema: { type: 'string', pattern: '^@' } },
    { name: 'ts', in: 'query', required: true, schema: { type: 'integer', format: 'int64', minimum: 5 } },
    { name: 'not', in: 'query', required: false, schema: { type: 'array', items: { type: 'string' } } },
    { $ref: '#/components/parameters/Reason' },
    { $ref: '#/components/parameters/WaitFor' },
  ]);
});

test('answers to changes of administrators have a position, for which their reads can wait, and repetitions a key', () => {
  const put = { pattern: { case: 'put', value: '/x' } } as const;
  const methods = { Do: { http: put }, Read: { http: get } };
  const { paths } = document({ methods });
  expect(paths['/x'].put.responses[200].headers).toMatchObject({
    'X-Steward-Position': {},
    'Idempotent-Replayed': {},
  });
  expect(paths['/x'].put.parameters).toEqual([
    { $ref: '#/components/parameters/Reason' },
    { $ref: '#/components/parameters/IdempotencyKey' },
  ]);
  expect(paths['/x'].put.responses[422]['x-errcodes']).toEqual(['STEWARD_IDEMPOTENCY_KEY_REUSED']);
  expect(paths['/x'].put.responses[409]['x-errcodes']).toContain('STEWARD_ALREADY_DONE');
  expect(paths['/x'].get.responses[200]).not.toHaveProperty('headers');
});

describe('refusals', () => {
  const errcodes = (spec: MethodSpec, messages: ContractSpec['messages'] = {}) => {
    const [path] = Object.values<Loose>(document({ messages, methods: { Do: spec } }).paths);
    const [operation] = Object.values<Loose>(path);
    return Object.fromEntries(
      Object.entries<Loose>(operation.responses).flatMap(([status, { 'x-errcodes': codes }]) =>
        codes && !general.has(status) ? [[status, codes]] : [],
      ),
    );
  };
  /** The statuses of the refusals that every request may receive. */
  const general = new Set(['408', '413', '429', '431', '503']);

  test('cover requests that are too large, too slow or too many, and servers that cannot answer', () => {
    const statuses = (spec: MethodSpec) => {
      const [path] = Object.values<Loose>(document({ methods: { Do: spec } }).paths);
      return Object.keys(Object.values<Loose>(path)[0].responses);
    };
    const rules = { access: Access.NONE };
    expect(statuses({ http: get, rules })).toEqual(['200', '429', '431', '503']);
    const reads = { ...rules, body: Body.REQUIRED };
    expect(statuses({ http: put, rules: reads, request: [string('id')] })).toEqual([
      '200',
      '400',
      '408',
      '413',
      '429',
      '431',
      '503',
    ]);
  });

  test('include those that a method lists', () => {
    const rules = { access: Access.GUEST, alsoRefuses: ['404 M_NOT_FOUND', '401 M_OTHER', '404 M_UNKNOWN'] };
    expect(errcodes({ http: get, rules })).toMatchObject({
      401: ['M_MISSING_TOKEN', 'M_OTHER', 'M_UNKNOWN_TOKEN', 'M_USER_LOCKED'],
      404: ['M_NOT_FOUND', 'M_UNKNOWN'],
    });
  });

  test('may ask for a proof', () => {
    const schema = (interactive: boolean) =>
      document({ methods: { Do: { http: get, rules: { access: Access.USER, interactive } } } }).paths['/x']
        .get.responses['401'].content['application/json'].schema;
    const error = { $ref: '#/components/schemas/Error' };
    expect(schema(false)).toEqual(error);
    expect(schema(true)).toEqual({ anyOf: [error, { $ref: '#/components/schemas/InteractiveProof' }] });
  });

  test('follow from the access of the method', () => {
    const of = (rules: MethodSpec['rules'] & object) => errcodes({ http: get, rules });
    const token = ['M_MISSING_TOKEN', 'M_UNKNOWN_TOKEN', 'M_USER_LOCKED'];
    expect(of({ access: Access.NONE })).toEqual({});
    expect(of({ access: Access.OPTIONAL })).toMatchObject({ 401: token });
    expect(of({ access: Access.GUEST, allowLocked: true, allowExpired: true })).toEqual({
      401: ['M_MISSING_TOKEN', 'M_UNKNOWN_TOKEN'],
    });
    const expired = 'ORG_MATRIX_EXPIRED_ACCOUNT';
    expect(of({ access: Access.USER })).toEqual({ 401: token, 403: ['M_GUEST_ACCESS_FORBIDDEN', expired] });
    expect(of({ access: Access.ADMIN })).toEqual({
      400: ['M_INVALID_PARAM'],
      401: [...token, 'STEWARD_STEP_UP_REQUIRED'],
      403: [
        'M_FORBIDDEN',
        'M_GUEST_ACCESS_FORBIDDEN',
        'M_USER_SUSPENDED',
        expired,
        'STEWARD_CREDENTIAL_LIMITED',
        'STEWARD_SECOND_FACTOR_REQUIRED',
      ],
    });
    expect(of({ access: Access.NONE, unavailableWith: Mode.DELEGATED_AUTH })).toEqual({
      404: ['M_UNRECOGNIZED'],
    });
  });

  test('follow from the fields', () => {
    const open = { access: Access.NONE, body: Body.REQUIRED };
    const request = [
      string('id', { maxLength: 9, onLength: 'M_TOO_LARGE' }),
      int64('q', { query: true, onMissing: 'M_MISSING_PARAM' }),
      string('text', { query: true }),
      string('form', { query: true, pattern: '^@', onType: 'M_FORM' }),
      list(message('items', 'Item', { onType: 'M_AX' })),
      bool('t', { truthy: true, onType: 'M_NEVER' }),
    ];
    const messages = { Item: [string('a', { onMissing: 'M_EXCLUSIVE' })] };
    expect(errcodes({ http: put, rules: open, request }, messages)).toEqual({
      400: [
        'M_AX',
        'M_BAD_JSON',
        'M_EXCLUSIVE',
        'M_FORM',
        'M_INVALID_PARAM',
        'M_MISSING_PARAM',
        'M_NOT_JSON',
        'M_TOO_LARGE',
        'M_UNKNOWN',
      ],
    });
  });
});

test('security follows from the access of the method', () => {
  const of = (access: Access) =>
    document({ methods: { Do: { http: get, rules: { access } } } }).paths['/x'].get.security;
  const token = [{ accessToken: [] }, { accessTokenParameter: [] }];
  expect(of(Access.NONE)).toEqual([]);
  expect(of(Access.OPTIONAL)).toEqual([{}, ...token]);
  expect(of(Access.GUEST)).toEqual(token);
});

test('security and description name the scopes of a method for administrators', () => {
  const request = [string('id'), bool('admin', { scope: Scope.ACCESS_WRITE })];
  const rules = { access: Access.ADMIN, scope: Scope.USERS_WRITE, body: Body.REQUIRED };
  const { security, description } = document({ methods: { Do: { http: put, request, rules } } }).paths[
    '/x/{id}'
  ].put;
  expect(security).toEqual([
    { accessToken: ['users:write'] },
    { accessTokenParameter: ['users:write'] },
    { sessionCookie: ['users:write'] },
  ]);
  expect(description).toContain(
    'For administrators with the scope `users:write`. `admin` requires `access:write`.',
  );
});

test('descriptions are the comments of the contract', () => {
  const texts: Record<string, string> = {
    'test.v1.TestService': 'Tests.',
    'test.v1.TestService.Do': 'Does it. At once.',
    'test.v1.DoRequest.q': 'What to do.',
    'test.v1.DoResponse': 'It is done.',
    'test.v1.DoResponse.done': 'Whether it is.',
  };
  const methods = { Do: { http: get, request: [string('q')], response: [bool('done')] } };
  const { tags, paths, components } = document({ methods }, (name) => texts[name]);
  expect(tags).toEqual([{ name: 'Test', description: 'Tests.' }]);
  expect(paths['/x'].get).toMatchObject({
    operationId: 'TestService_Do',
    tags: ['Test'],
    summary: 'Does it',
    description: 'Does it. At once.\n\nFor administrators with the scope `server:read`.',
    parameters: [
      { description: 'What to do.' },
      { $ref: '#/components/parameters/Reason' },
      { $ref: '#/components/parameters/WaitFor' },
    ],
  });
  expect(components.schemas.DoResponse).toMatchObject({
    description: 'It is done.',
    properties: { done: { description: 'Whether it is.' } },
  });
});

test('templates that differ in the names of their parameters only are one path', () => {
  const of = (verb: 'get' | 'delete', name: string): MethodSpec => ({
    http: { pattern: { case: verb, value: `/x/{${name}}/y` } },
    request: [string(name)],
  });
  const { paths } = document({
    methods: { Get: of('get', 'version'), Delete: of('delete', 'path_version') },
  });
  expect(Object.keys(paths)).toEqual(['/x/{version}/y']);
  for (const verb of ['get', 'delete']) {
    const [parameter] = paths['/x/{version}/y'][verb].parameters;
    expect(parameter).toMatchObject({ name: 'version', in: 'path', example: '10' });
  }
});

describe('the document of all services', () => {
  const services = [AccountService, DeviceService, RegistrationService, ServerService, SessionService];
  const all: Loose = openApi(services, info, silent);
  const operations: Loose[] = Object.values<Loose>(all.paths).flatMap((item) => Object.values<Loose>(item));

  test('the document of all services is the same every time', () => {
    expect(JSON.stringify(openApi(services, info, silent))).toBe(JSON.stringify(all));
  });

  test('gives each operation a unique id, additional paths included', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('SessionService_Login_2');
  });

  test('refers only to components that it has', () => {
    const references = [...JSON.stringify(all).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, name = ''] of references) expect(all.components.schemas).toHaveProperty([name]);
  });

  test('has no internal methods', () => {
    expect(JSON.stringify(all)).not.toContain('Authenticate');
  });
});
