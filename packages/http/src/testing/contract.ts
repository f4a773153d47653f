import {
  create,
  createFileRegistry,
  type DescService,
  type MessageInitShape,
  setExtension,
} from '@bufbuild/protobuf';
import { protoCamelCase } from '@bufbuild/protobuf/reflect';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  FieldDescriptorProto_Type as FieldType,
  FileDescriptorProtoSchema,
  file_google_protobuf_field_mask,
  FieldDescriptorProto_Label as Label,
  type MethodDescriptorProto,
  MethodDescriptorProtoSchema,
  MethodOptionsSchema,
} from '@bufbuild/protobuf/wkt';
import { http } from '@steward/proto/google/api/annotations_pb.ts';
import { HttpRuleSchema } from '@steward/proto/google/api/http_pb.ts';
import {
  Access,
  FieldRulesSchema,
  field as fieldOption,
  MethodRulesSchema,
  method as methodOption,
  Scope,
} from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { file_steward_http_v1_content } from '@steward/proto/steward/http/v1/content_pb.ts';
import { type Binding, compile } from '../bindings.ts';

/** A field of a message for a test; its number is its position. */
export interface FieldSpec {
  readonly name: string;
  readonly type: FieldType;
  readonly typeName?: string;
  readonly rules?: MessageInitShape<typeof FieldRulesSchema> | undefined;
  readonly as?: 'optional' | 'list' | 'map' | 'oneof';
  readonly jsonName?: string;
}

type Rules = FieldSpec['rules'];

const FIELD_MASK_FILE = 'google/protobuf/field_mask.proto';
const CONTENT_FILE = 'steward/http/v1/content.proto';

const scalar =
  (type: FieldType) =>
  (name: string, rules?: Rules): FieldSpec => ({ name, type, rules });

export const string = scalar(FieldType.STRING);
export const bool = scalar(FieldType.BOOL);
export const int32 = scalar(FieldType.INT32);
export const uint32 = scalar(FieldType.UINT32);
export const int64 = scalar(FieldType.INT64);
export const double = scalar(FieldType.DOUBLE);
export const bytes = scalar(FieldType.BYTES);
export const float = scalar(FieldType.FLOAT);

/** A field that holds a message of the contract, or a well-known message by its full name. */
export function message(name: string, type: string, rules?: Rules): FieldSpec {
  const typeName = type.includes('.') ? `.${type}` : `.test.v1.${type}`;
  return { name, type: FieldType.MESSAGE, typeName, rules };
}

export const optional = (field: FieldSpec): FieldSpec => ({ ...field, as: 'optional' });
export const list = (field: FieldSpec): FieldSpec => ({ ...field, as: 'list' });
export const map = (field: FieldSpec): FieldSpec => ({ ...field, as: 'map' });
export const oneof = (field: FieldSpec): FieldSpec => ({ ...field, as: 'oneof' });
export const named = (field: FieldSpec, jsonName: string): FieldSpec => ({ ...field, jsonName });

/** The fields of a piece of a streamed answer. */
export const head = message('head', 'steward.http.v1.ContentHead');
export const data = bytes('data', { raw: true });

/** The field that holds the keys of a body. */
export const present = message('present', 'google.protobuf.FieldMask', { presentKeys: true });

/** A method for a test. */
export interface MethodSpec {
  readonly http?: MessageInitShape<typeof HttpRuleSchema>;
  /** `null` for a method without rules. */
  readonly rules?: MessageInitShape<typeof MethodRulesSchema> | null;
  readonly request?: readonly FieldSpec[];
  readonly response?: readonly FieldSpec[];
  readonly streams?: 'requests' | 'answers' | 'both';
}

/** Messages and methods of a service `test.v1.TestService`. */
export interface ContractSpec {
  readonly messages?: Readonly<Record<string, readonly FieldSpec[]>>;
  readonly methods: Readonly<Record<string, MethodSpec>>;
}

/** Creates the service of a contract. Messages of a method `Get` are called `GetRequest` and `GetResponse`. */
export function contract({ messages = {}, methods }: ContractSpec): DescService {
  const file = create(FileDescriptorProtoSchema, {
    name: 'test/v1/test.proto',
    package: 'test.v1',
    syntax: 'proto3',
    dependency: [FIELD_MASK_FILE, CONTENT_FILE],
    messageType: [
      ...Object.entries(messages).map(([name, fields]) => messageProto(name, fields)),
      ...Object.entries(methods).flatMap(([name, { request = [], response = [] }]) => [
        messageProto(`${name}Request`, request),
        messageProto(`${name}Response`, response),
      ]),
    ],
    service: [
      {
        name: 'TestService',
        method: Object.entries(methods).map(([name, spec]) => methodProto(name, spec)),
      },
    ],
  });
  const imports = new Map([
    [FIELD_MASK_FILE, file_google_protobuf_field_mask.proto],
    [CONTENT_FILE, file_steward_http_v1_content.proto],
  ]);
  const registry = createFileRegistry(file, (name) => imports.get(name));
  return registry.getService('test.v1.TestService') as DescService;
}

/** The only binding of a contract with one method `Do`. */
export function bind(spec: MethodSpec, messages: ContractSpec['messages'] = {}): Binding {
  const [binding] = compile([contract({ messages, methods: { Do: spec } })]);
  return binding as Binding;
}

function methodProto(name: string, { http: rule, rules, streams }: MethodSpec): MethodDescriptorProto {
  const options = create(MethodOptionsSchema);
  if (rule) setExtension(options, http, create(HttpRuleSchema, rule));
  if (rules !== null) setExtension(options, methodOption, create(MethodRulesSchema, withAccess(rules, rule)));
  return create(MethodDescriptorProtoSchema, {
    name,
    inputType: `.test.v1.${name}Request`,
    outputType: `.test.v1.${name}Response`,
    clientStreaming: streams === 'requests' || streams === 'both',
    serverStreaming: streams === 'answers' || streams === 'both',
    options,
  });
}

/** Rules of a method for administrators, unless they say otherwise. */
function withAccess(
  rules: MethodSpec['rules'] & object = {},
  http: MethodSpec['http'] = {},
): MessageInitShape<typeof MethodRulesSchema> {
  const access = rules.access ?? Access.ADMIN;
  const verbs: readonly string[] = ['put', 'post', 'delete', 'patch'];
  const isChange = [http, ...(http.additionalBindings ?? [])].some(({ pattern }) =>
    verbs.includes(pattern?.case ?? ''),
  );
  return {
    ...(access === Access.ADMIN ? { scope: Scope.SERVER_READ } : {}),
    ...(access === Access.ADMIN && isChange ? { event: ['none'] } : {}),
    noAuthority: 'for a test',
    ...rules,
    access,
  };
}

function messageProto(name: string, fields: readonly FieldSpec[]): DescriptorProto {
  const inOneof = fields.filter(({ as }) => as === 'optional' || as === 'oneof');
  return create(DescriptorProtoSchema, {
    name,
    field: fields.map((field, i) => fieldProto(field, i + 1, name, inOneof.indexOf(field))),
    oneofDecl: inOneof.map((field) => ({ name: `_${field.name}` })),
    nestedType: fields.filter(({ as }) => as === 'map').map(mapEntry),
  });
}

function fieldProto(
  spec: FieldSpec,
  number: number,
  owner: string,
  oneofIndex: number,
): FieldDescriptorProto {
  const { name, type, typeName = '', as, rules } = spec;
  const options = create(FieldOptionsSchema);
  if (rules) setExtension(options, fieldOption, create(FieldRulesSchema, rules));
  const isMap = as === 'map';
  return create(FieldDescriptorProtoSchema, {
    name,
    number,
    jsonName: spec.jsonName ?? protoCamelCase(name),
    label: as === 'list' || isMap ? Label.REPEATED : Label.OPTIONAL,
    type: isMap ? FieldType.MESSAGE : type,
    typeName: isMap ? `.test.v1.${owner}.${entryName(name)}` : typeName,
    proto3Optional: as === 'optional',
    ...(oneofIndex < 0 ? {} : { oneofIndex }),
    options,
  });
}

function mapEntry({ name, type, typeName = '' }: FieldSpec): MessageInitShape<typeof DescriptorProtoSchema> {
  const label = Label.OPTIONAL;
  return {
    name: entryName(name),
    options: { mapEntry: true },
    field: [
      { name: 'key', jsonName: 'key', number: 1, label, type: FieldType.STRING },
      { name: 'value', jsonName: 'value', number: 2, label, type, typeName },
    ],
  };
}

function entryName(field: string): string {
  const camel = protoCamelCase(field);
  return `${camel.charAt(0).toUpperCase()}${camel.slice(1)}Entry`;
}
