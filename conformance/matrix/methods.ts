import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DescFile, type DescMethod, getOption, hasOption } from '@bufbuild/protobuf';
import {
  Access,
  field as fieldOption,
  type MethodRules,
  method as methodOption,
  Scope,
} from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { type RequestField, requestFields } from '@steward/rpc';
import type { ServiceName } from '@steward/testing';
import { type Endpoint, served } from '../served.ts';
import { SCOPES } from './role-scopes.ts';

/** A field whose value requires a scope beside that of its method. */
export interface ScopedField extends RequestField {
  readonly scope: string;
}

/** A method of any service, as its contract declares it. */
export interface Method {
  /** For the titles of tests, such as `user.v1.RoleService/GetRole`. */
  readonly name: string;
  readonly desc: DescMethod;
  readonly rules: MethodRules;
  /** The service whose processes serve it. */
  readonly process: ServiceName;
  /** The scope that it requires; unset unless it is for administrators. */
  readonly scope: string | undefined;
  readonly scopedFields: readonly ScopedField[];
  /** Where it is served over HTTP; nowhere, for a method without a path. */
  readonly endpoints: readonly Endpoint[];
}

/** Requests an event stream that admitted callers are refused because of its last id: a stream would not end. */
const OF_EVENT_STREAM = { accept: 'text/event-stream', 'last-event-id': 'none' };

/** The files that are generated from the contracts. */
const GENERATED = fileURLToPath(new URL('../../proto/gen/steward', import.meta.url));

const descriptors = await Promise.all(
  globSync('{user,room,media,moderation}/v1/*_pb.ts', { cwd: GENERATED }).map(
    async (path) => Object.values(await import(`${GENERATED}/${path}`)) as readonly unknown[],
  ),
);

/** Every method of the services, those without a path included: what a program can call that reaches their ports. */
export const methods: readonly Method[] = descriptors
  .flat()
  .filter(isFile)
  .flatMap(({ services }) => services)
  .flatMap((service) => service.methods)
  .map(describe)
  .sort((one, other) => one.name.localeCompare(other.name, 'en'));

/** The methods for administrators. */
export const administrative: readonly (Method & { readonly scope: string })[] = methods.filter(
  (method): method is Method & { readonly scope: string } => method.scope !== undefined,
);

const representatives = new Map(
  administrative.toReversed().map((method) => [`${method.process} ${method.scope}`, method]),
);

/**
 * Whether a method stands for those of its service with the same scope. Between processes, callers whose kind of credential
 * decides call these only: one process proves the same for each method.
 */
export function isRepresentative(method: Method & { readonly scope: string }): boolean {
  return representatives.get(`${method.process} ${method.scope}`) === method;
}

/** The name of a scope as clients see it. */
function nameOf(scope: Scope): string {
  const name = SCOPES[scope - 1];
  if (name === undefined) throw new Error(`The scope ${scope} is missing in SCOPES`);
  return name;
}

function isFile(exported: unknown): exported is DescFile {
  return (exported as { readonly kind?: unknown } | null)?.kind === 'file';
}

function describe(desc: DescMethod): Method {
  const rules = getOption(desc, methodOption);
  return {
    name: `${desc.parent.typeName.replace('steward.', '')}/${desc.name}`,
    desc,
    rules,
    process: desc.parent.typeName.split('.')[1] as ServiceName,
    scope: rules.access === Access.ADMIN ? nameOf(rules.scope) : undefined,
    scopedFields: requestFields(desc.input)
      .filter(({ field }) => hasOption(field, fieldOption))
      .map((each) => ({ ...each, scope: getOption(each.field, fieldOption).scope }))
      .filter(({ scope }) => scope !== Scope.UNSPECIFIED)
      .map((each) => ({ ...each, scope: nameOf(each.scope) })),
    endpoints: endpointsOf(desc),
  };
}

/** Where a method is served: an event stream at the paths of the method that names it. */
function endpointsOf(desc: DescMethod): readonly Endpoint[] {
  const streamed = served.filter(
    ({ method, rules }) => method.parent === desc.parent && rules.eventStream === desc.name,
  );
  return [
    ...served.filter(({ method }) => method === desc),
    ...streamed.map((endpoint) => ({ ...endpoint, headers: OF_EVENT_STREAM })),
  ];
}
