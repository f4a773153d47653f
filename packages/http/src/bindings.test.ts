import {
  Access,
  Body,
  Mode,
  NullValue,
  Refusal,
  Scope,
} from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { RegistrationService } from '@steward/proto/steward/user/v1/registration_pb.ts';
import { ServerService } from '@steward/proto/steward/user/v1/server_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { StartupError } from '@steward/rpc';
import { describe, expect, test } from 'vitest';
import { compile } from './bindings.ts';
import {
  bool,
  bytes,
  type ContractSpec,
  contract,
  data,
  double,
  type FieldSpec,
  float,
  head,
  int32,
  int64,
  list,
  type MethodSpec,
  map,
  message,
  named,
  oneof,
  optional,
  present,
  string,
} from './testing/contract.ts';

const get = (value: string) => ({ pattern: { case: 'get', value } }) as const;
const post = (value: string) => ({ pattern: { case: 'post', value } }) as const;
const spelled = { compatSpellings: [{ value: 'a', compat: 'b' }] };

describe('bindings', () => {
  test('of a method are the main one and the additional ones', () => {
    const http = {
      ...post('/a/{id}'),
      additionalBindings: [{ pattern: { case: 'put', value: '/b' } } as const],
    };
    const rules = { access: Access.USER, allowLocked: true, unavailableWith: Mode.DELEGATED_AUTH };
    const service = contract({ methods: { Do: { http, rules, request: [string('id')] } } });
    const bindings = compile([service]);
    expect(bindings.map(({ verb, path }) => `${verb} ${path}`)).toEqual(['POST /a/{id}', 'PUT /b']);
    expect(bindings[0]).toMatchObject({
      service,
      method: service.methods[0],
      segments: [
        { kind: 'literal', text: 'a' },
        { kind: 'variable', name: 'id' },
      ],
      rules: {
        access: Access.USER,
        compatAccess: Access.USER,
        allowLocked: true,
        body: Body.IGNORED,
        refusal: Refusal.BEFORE_HANDLER,
        unavailableWith: Mode.DELEGATED_AUTH,
        compatStatus: 200,
        maxBodyBytes: 65_536,
      },
    });
  });

  test('have the access of the compatibility prefix where it differs', () => {
    const rules = { access: Access.ADMIN, compatAccess: Access.NONE, refusal: Refusal.BY_HANDLER };
    const [binding] = compile([contract({ methods: { Do: { http: get('/a'), rules } } })]);
    expect(binding?.rules).toMatchObject(rules);
  });

  test('support every verb', () => {
    const patterns = (['get', 'post', 'put', 'delete', 'patch'] as const).map((verb) => ({
      case: verb,
      value: '/a',
    }));
    const methods = Object.fromEntries(patterns.map((pattern, i) => [`Do${i}`, { http: { pattern } }]));
    expect(compile([contract({ methods })]).map(({ verb }) => verb)).toEqual([
      'GET',
      'POST',
      'PUT',
      'DELETE',
      'PATCH',
    ]);
  });

  test('may end with a slash, which makes it another path', () => {
    const http = { ...get('/a/'), additionalBindings: [get('/a')] };
    expect(compile([contract({ methods: { Do: { http } } })]).map(({ path }) => path)).toEqual(['/a/', '/a']);
  });

  test('do not exist for methods without a path', () => {
    const internal = { rules: { access: Access.INTERNAL }, streams: 'answers' } as const;
    expect(compile([contract({ methods: { Do: internal } })])).toEqual([]);
  });

  test('compile for all services', () => {
    const services = [AccountService, DeviceService, RegistrationService, ServerService, SessionService];
    expect(compile(services).length).toBeGreaterThan(services.length);
  });
});

describe('a method that streams', () => {
  test('its request reads the other fields of its first message from the request', () => {
    const request = [string('name'), optional(int32('size', { header: 'x-size' })), data];
    const [binding] = compile([
      contract({ methods: { Do: { http: post('/a'), streams: 'requests', request } } }),
    ]);
    const read = (headers: Record<string, string>) =>
      binding?.read({ params: {}, query: 'name=n&size=3&data=x', body: undefined, headers });
    expect(read({ 'x-size': '7' })).toMatchObject({
      message: { name: 'n', size: 7, data: new Uint8Array() },
    });
    expect(read({})?.message).not.toHaveProperty('size');
    expect(read({ 'x-size': 'many' })?.deferred).toMatchObject({
      errcode: 'M_INVALID_PARAM',
      field: 'x-size',
    });
  });

  test('its answer is bound like other methods', () => {
    const streaming = { http: get('/a'), streams: 'answers', response: [head, data] } as const;
    expect(compile([contract({ methods: { Do: streaming } })])).toHaveLength(1);
  });
});

describe('the event stream of a path', () => {
  const listing = { http: get('/a'), rules: { eventStream: 'Follow' } };
  const following: MethodSpec = {
    streams: 'answers',
    request: [optional(int64('last', { header: 'last-event-id' })), string('type')],
    response: [int64('position'), list(message('events', 'Happened'))],
  };
  const messages = { Happened: [int64('position'), string('type'), string('data', { json: true })] };

  test('reads the query and headers, and writes events', () => {
    const [binding, ...others] = compile([
      contract({ messages, methods: { Do: listing, Follow: following } }),
    ]);
    expect(others).toEqual([]);
    const read = binding?.eventStream?.read({
      params: {},
      query: 'type=a',
      body: undefined,
      headers: { 'last-event-id': '7' },
    });
    expect(read?.message).toMatchObject({ last: 7n, type: 'a' });
    const event = { position: 7n, type: 'a', data: '{"b":1}' };
    expect(binding?.eventStream?.writeEvent(event)).toBe('{"position":7,"type":"a","data":{"b":1}}');
  });

  test.each<[string, MethodSpec]>([
    ['is not a streaming method without a path', { request: [] }],
    [
      'is not a streaming method without a path',
      { http: get('/b'), streams: 'answers', response: [head, data] },
    ],
    ['has another access or scope', { ...following, rules: { access: Access.USER } }],
    ['has no position, or no events', { ...following, response: [int64('position')] }],
    ['has no position, or no events', { ...following, response: [list(message('events', 'Happened'))] }],
  ])('%s: refused at start', (complaint, method) => {
    expect(refusal({ Do: listing, Follow: method }, messages)).toContain(complaint);
    expect(refusal({ Do: listing, Other: following }, messages)).toContain('is not a streaming method');
  });
});

const refusal = (methods: ContractSpec['methods'], messages: ContractSpec['messages'] = {}) => {
  try {
    compile([contract({ messages, methods })]);
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
  return undefined;
};

describe('a method is refused at start', () => {
  test.each<[string, MethodSpec]>([
    ['it declares no access', { rules: null }],
    ['it declares no access', { http: get('/a'), rules: { access: Access.UNSPECIFIED } }],
    ['it is for administrators and declares no scope', { rules: { scope: Scope.UNSPECIFIED } }],
    [
      'scope: only methods for administrators have one',
      { http: get('/a'), rules: { access: Access.USER, scope: Scope.USERS_READ } },
    ],
    ['it could act against an account, or in its name', { http: get('/a'), rules: { noAuthority: '' } }],
    [
      'no_authority: the method declares that authority is required',
      { http: get('/a'), request: [string('a', { authority: true })] },
    ],
    [
      'a: only texts in unary requests of administrators have authority',
      { rules: { access: Access.USER, noAuthority: '' }, request: [string('a', { authority: true })] },
    ],
    [
      'a: only requests of administrators have fields with a scope',
      { rules: { access: Access.USER }, request: [string('a', { scope: Scope.USERS_WRITE })] },
    ],
    [
      'audit: a method that returns private content reports its calls to the audit log',
      { http: get('/a'), rules: { scope: Scope.ROOMS_CONTENT } },
    ],
    [
      'event: a change that the audit log records makes an event',
      { http: { pattern: { case: 'put', value: '/a' } }, rules: { event: [] } },
    ],
    ['event: only changes that the audit log records', { http: get('/a'), rules: { event: ['a.b'] } }],
    [
      'event: none excludes',
      { http: { pattern: { case: 'put', value: '/a' } }, rules: { event: ['none', 'a.b'] } },
    ],
    ['an internal method cannot have a path', { http: get('/a'), rules: { access: Access.INTERNAL } }],
    ['compat_access: a method with a path', { http: get('/a'), rules: { compatAccess: Access.INTERNAL } }],
    [
      'also_refuses: "404" is not a status with an errcode',
      { http: get('/a'), rules: { alsoRefuses: ['404'] } },
    ],
    ['compat_status: 404 is not the status', { http: get('/a'), rules: { compatStatus: 404 } }],
    [
      'max_body_bytes: a large body requires an access token',
      { http: post('/a'), rules: { access: Access.OPTIONAL, maxBodyBytes: 65_537 } },
    ],
    ['a method that streams both ways cannot have a path', { http: get('/a'), streams: 'both' }],
    [
      "pieces of a body have one raw field, 'data'",
      { http: get('/a'), streams: 'answers', response: [head] },
    ],
    ["pieces of a body have one raw field, 'data'", { http: post('/a'), streams: 'requests' }],
    ["pieces of a body have one raw field, 'data'", { http: post('/a'), request: [data] }],
    ["pieces of an answer have a 'head'", { http: get('/a'), streams: 'answers', response: [data] }],
    ['raw asks for bytes', { http: get('/a'), request: [string('data', { raw: true })] }],
    ['header contradicts query', { http: get('/a'), request: [string('a', { header: 'b', query: true })] }],
    [
      "the field 'a' has compat_spellings and is not read from the query",
      { http: get('/{a}'), request: [string('a', spelled)] },
    ],
    [
      "the field 'a' has compat_spellings and is not read from the query",
      {
        http: { ...post('/a'), body: '*' },
        request: [string('a', spelled)],
        rules: { body: Body.REQUIRED },
      },
    ],
    [
      "the field 'a' has compat_spellings and is written as no single string",
      { http: get('/a'), response: [list(string('a', spelled))] },
    ],
    ['a name in lower case', { http: get('/a'), request: [string('a', { header: 'B' })] }],
    [
      "the field 'm' cannot be read from a header",
      { http: get('/a'), request: [map(string('m', { header: 'm' }))] },
    ],
    ['a binding has none of the verbs', { http: { pattern: { case: 'custom', value: { kind: 'HEAD' } } } }],
    ['a binding has none of the verbs', { http: {} }],
    [
      'an additional binding has additional bindings',
      { http: { ...get('/a'), additionalBindings: [{ ...get('/b'), additionalBindings: [get('/c')] }] } },
    ],
    ["the path 'a' does not begin with a slash", { http: get('a') }],
    ["the path '/a//b' has the segment ''", { http: get('/a//b') }],
    ["the path '/' has the segment ''", { http: get('/') }],
    ["the path '/a:b' has the segment 'a:b'", { http: get('/a:b') }],
    ["has the segment '{id=**}'", { http: get('/{id=**}'), request: [string('id')] }],
    ["has the segment '{a.b}'", { http: get('/{a.b}'), request: [string('a')] }],
    ["has the segment 'x{id}'", { http: get('/x{id}'), request: [string('id')] }],
    ["has the variable 'id' twice", { http: get('/{id}/{id}'), request: [string('id')] }],
    ["the path variable 'id' is not a field of message test.v1.DoRequest", { http: get('/{id}') }],
    ['the binding has body: "*" and the rules have none', { http: { ...post('/a'), body: '*' } }],
    ['the rules have a body and the binding has none', { http: post('/a'), rules: { body: Body.OPTIONAL } }],
    ['the body of a GET is not read', { http: { ...get('/a'), body: '*' }, rules: { body: Body.REQUIRED } }],
    [
      "the body is for 'b', which is not a field with JSON text",
      { http: { ...post('/a'), body: 'b' }, rules: { body: Body.REQUIRED }, request: [string('b')] },
    ],
    [
      "the body is for 'b', which is not a field with JSON text",
      { http: { ...post('/a'), body: 'b' }, rules: { body: Body.REQUIRED } },
    ],
    [
      "the field 'present' asks for the keys of a body that has none",
      { http: post('/a'), request: [present] },
    ],
    ["the field 'm' cannot be read from a query", { http: get('/a'), request: [map(string('m'))] }],
    ["the field 'd' cannot be read from a query", { http: get('/a'), request: [list(double('d'))] }],
    [
      "the field 'j' cannot be read from a query",
      { http: get('/a'), request: [string('j', { json: true })] },
    ],
    ["the field 'b' has rules for a body", { http: get('/a'), request: [bool('b', { truthy: true })] }],
    [
      "the field 'b' has rules for a body",
      { http: get('/a'), request: [bool('b', { null: NullValue.ABSENT })] },
    ],
    ["the field 'm' cannot be read from a path", { http: get('/{m}'), request: [map(string('m'))] }],
    ['a field that holds the keys of a request cannot be written', { http: get('/a'), response: [present] }],
    [
      'compat_status contradicts created',
      { http: get('/a'), rules: { compatStatus: 201 }, response: [bool('b', { created: true })] },
    ],
    [
      'has two fields that are created',
      { http: get('/a'), response: [bool('a', { created: true }), bool('b', { created: true })] },
    ],
  ])('%s', (complaint, spec) => {
    const text = refusal({ Do: spec });
    expect(text).toContain('rpc test.v1.TestService.Do: ');
    expect(text).toContain(complaint);
  });

  test('for a nested field with a scope, which no call would check', () => {
    const inner = {
      Inner: [string('a', { scope: Scope.USERS_WRITE })],
      Outer: [list(message('b', 'Inner'))],
    };
    expect(refusal({ Do: { http: get('/a'), request: [message('c', 'Outer')] } }, inner)).toContain(
      'c.a: fields of nested messages have no scope',
    );
  });

  test('for an error in a nested message', () => {
    const item = (...fields: FieldSpec[]) => ({ Item: fields });
    const http = { ...post('/a'), body: '*' };
    const rules = { body: Body.REQUIRED };
    const answering = { http: get('/a'), response: [list(message('items', 'Item'))] };
    expect(
      refusal({ Do: { http, rules, request: [message('item', 'Item')] } }, item(bytes('raw'))),
    ).toContain('field test.v1.Item.raw: its kind has no JSON form here');
    expect(refusal({ Do: answering }, item(bytes('raw')))).toContain('test.v1.Item.raw');
    expect(refusal({ Do: answering }, item(bool('made', { created: true })))).toContain(
      "created at the field 'made' of message test.v1.Item, below the top",
    );
    expect(refusal({ Do: answering }, item(message('it', 'Item', { flatten: true })))).toContain(
      'message test.v1.Item is flattened into itself',
    );
    const flattened = { http: get('/a'), response: [string('a'), message('it', 'Item', { flatten: true })] };
    expect(refusal({ Do: flattened }, item(string('a')))).toContain("has the key 'a' twice, by flatten");
  });
});

describe('a field is refused at start', () => {
  const asks = NullValue.PRESENT;

  test.each<[string, FieldSpec]>([
    ['its kind has no JSON form here', bytes('f')],
    ['its kind has no JSON form here', float('f')],
    ['its kind has no JSON form here', list(bytes('f'))],
    ['its kind has no JSON form here', map(bytes('f'))],
    ['its kind has no JSON form here', oneof(string('f'))],
    ['its kind has no JSON form here', message('f', 'google.protobuf.FieldMask')],
    [
      'its kind has no JSON form here',
      list(message('f', 'google.protobuf.FieldMask', { presentKeys: true })),
    ],
    ['json asks for a string', bool('f', { json: true })],
    ['present_keys asks for a FieldMask', string('f', { presentKeys: true })],
    ['values asks for a string', int64('f', { values: ['1'] })],
    ['max_length asks for a string', int64('f', { maxLength: 1 })],
    ['max_length asks for a string', string('f', { json: true, maxLength: 1 })],
    ['pattern asks for a string', bool('f', { pattern: 'a' })],
    ['pattern contradicts values', string('f', { pattern: 'a', values: ['a'] })],
    ['on_length asks for max_length', string('f', { onLength: 'M_UNKNOWN' })],
    ['minimum asks for an integer', double('f', { minimum: 0n })],
    ['truthy asks for a bool', int32('f', { truthy: true })],
    ['truthy asks for a bool', list(bool('f', { truthy: true }))],
    ['lenient contradicts truthy', bool('f', { truthy: true, lenient: true, null: asks })],
    ['lenient asks for a null rule', string('f', { lenient: true })],
    ['bit asks for a bool', int32('f', { bit: true })],
    ['compat_spellings asks for a string', int32('f', spelled)],
    ['compat_bool asks for bit', bool('f', { compatBool: true })],
    ['created asks for a bool', int32('f', { created: true })],
    ['compat_seconds asks for an int64', int32('f', { compatSeconds: true })],
    ['flatten asks for a message', string('f', { flatten: true })],
    ['flatten asks for a message', list(message('f', 'M', { flatten: true }))],
    ['nullable asks for a field that can be unset', string('f', { nullable: true })],
    ['nullable contradicts flatten', message('f', 'M', { flatten: true, nullable: true })],
    ["'bad json' is not an errcode", string('f', { onType: 'bad json' })],
    ["'M_' is not an errcode", string('f', { onMissing: 'M_' })],
    ["'m_x' is not an errcode", string('f', { maxLength: 1, onLength: 'm_x' })],
  ])('%s', (complaint, field) => {
    const text = refusal({ Do: { http: get('/a'), response: [field] } }, { M: [] });
    expect(text).toBe(`rpc test.v1.TestService.Do: field test.v1.DoResponse.f: ${text?.split('.f: ')[1]}`);
    expect(text).toContain(complaint);
  });

  test('with the key of another field', () => {
    const fields = [string('user_id'), named(string('other'), 'user_id')];
    expect(refusal({ Do: { http: get('/a'), response: fields } })).toContain(
      "two fields have the key 'user_id'",
    );
  });
});

describe('routes', () => {
  const routes = (...paths: string[]) =>
    refusal(
      Object.fromEntries(
        paths.map((path, i) => [
          `Do${i}`,
          { http: get(path), request: [optional(string('a')), optional(string('b'))] },
        ]),
      ),
    );

  test('routes that match the same requests are refused', () => {
    expect(routes('/x/{a}', '/x/{b}')).toBe(
      'rpc test.v1.TestService.Do1: GET /x/{} is the route of rpc test.v1.TestService.Do0 as well',
    );
  });

  test('routes that differ in a literal or in length are accepted', () => {
    expect(routes('/x/{a}', '/x/y', '/x/{a}/{b}', '/x', '/{a}/y')).toBeUndefined();
  });

  test('may have the same path with another verb', () => {
    expect(refusal({ Get: { http: get('/x') }, Make: { http: post('/x') } })).toBeUndefined();
  });

  test('routes are compared across services', () => {
    const service = contract({ methods: { Do: { http: get('/x') } } });
    expect(() => compile([service, service])).toThrow(StartupError);
  });
});
