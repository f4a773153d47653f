import { type DescMethod, getOption, hasOption } from '@bufbuild/protobuf';
import { services } from '@steward/gateway';
import { http } from '@steward/proto/google/api/annotations_pb.ts';
import type { HttpRule } from '@steward/proto/google/api/http_pb.ts';
import { type MethodRules, method as methodOption } from '@steward/proto/steward/http/v1/annotations_pb.ts';

/** A verb on a path, as the contract declares it. */
export interface Endpoint {
  readonly verb: string;
  /** With variables in braces. */
  readonly template: string;
  readonly method: DescMethod;
  readonly rules: MethodRules;
  /** What its requests state beside their credential. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the same method was declared on an earlier path. */
  readonly alias: boolean;
}

/** Every endpoint that is served, from the descriptors; aliases and legacy paths are separate endpoints. */
export const served: readonly Endpoint[] = services
  .flatMap((service) => service.methods)
  .filter((method) => hasOption(method, http))
  .flatMap((method) => {
    const rules = getOption(method, methodOption);
    return bindingsOf(getOption(method, http)).map((binding, index) => ({
      ...binding,
      method,
      rules,
      alias: index > 0,
    }));
  });

/** One endpoint of each method: declarations of a method hold on all its paths. */
export const servedOnce: readonly Endpoint[] = served.filter(({ alias }) => !alias);

function bindingsOf(rule: HttpRule): { verb: string; template: string }[] {
  const { case: verb, value } = rule.pattern;
  if (verb === undefined || verb === 'custom') throw new Error('Only the usual verbs are bound');
  return [{ verb: verb.toUpperCase(), template: value }, ...rule.additionalBindings.flatMap(bindingsOf)];
}

/** Valid ids, by the names of the path variables that hold them. */
export const IDS: Readonly<Record<string, string>> = {
  alias: '#alias:test',
  event_id: '$event',
  kind: 'override',
  receipt_type: 'm.read',
  room_id: '!room:test',
  room_id_or_alias: '!room:test',
};

/** The path of a template, with a value for each variable. */
export function fill(template: string, idFor: (variable: string) => string): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, variable: string) => encodeURIComponent(idFor(variable)));
}

/** A template without the names of its variables: equal for two templates that match the same paths. */
export function shapeOf(template: string): string {
  return template.replaceAll(/\{\w+\}/g, '{}');
}
