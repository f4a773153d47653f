import type { DescService } from '@bufbuild/protobuf';
import { type Scope, ScopeSchema } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { scopeName } from '@steward/rpc';
import { type Binding, compile } from './bindings.ts';
import type { Comments } from './openapi/comments.ts';
import { keyOf } from './wire-field.ts';

const INTRODUCTION = `# Access of administrators

Generated from the contracts in \`proto/\`; change them, then run \`npm run generate\`.

Every method for administrators declares the scope that it requires, and fields that give a request more power declare a
further one, which is required if the field is set to anything but its default. Server administrators (\`admin: true\`) hold all
scopes.
`;

/** The reference of all scopes in Markdown: what they permit, and the endpoints and fields that require them. */
export function accessReference(services: readonly DescService[], comments: Comments): string {
  const bindings = compile(services);
  const sections = ScopeSchema.values
    .filter(({ number }) => number !== 0)
    .map(({ number, name }) => {
      const scope = number as Scope;
      const comment = comments(`${ScopeSchema.typeName}.${name}`) ?? '';
      const endpoints = bindings.flatMap((binding) => requirements(binding, scope));
      return [`## ${scopeName(scope)}`, '', comment, '', ...endpoints, ''].join('\n');
    });
  return [INTRODUCTION, ...sections].join('\n');
}

function requirements({ verb, path, rules }: Binding, scope: Scope): readonly string[] {
  const endpoint = `\`${verb} ${path}\``;
  return [
    ...(rules.scope === scope ? [`- ${endpoint}`] : []),
    ...rules.fieldScopes
      .filter((declared) => declared.scope === scope)
      .map(({ field }) => `- \`${keyOf(field)}\` of ${endpoint}`),
  ];
}
