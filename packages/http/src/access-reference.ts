import type { DescService } from '@bufbuild/protobuf';
import { type Scope, ScopeSchema } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { ALL_SCOPES, scopeName } from '@steward/rpc';
import { type Binding, compile } from './bindings.ts';
import type { Comments } from './openapi/comments.ts';
import { keyOf } from './wire-field.ts';

const INTRODUCTION = `# Access of administrators

Generated from the contracts in \`proto/\`; change them, then run \`npm run generate\`.

Every method for administrators declares the scope that it requires, and fields that give a request more power declare a
further one, which is required if the field is set to anything but its default. Server administrators (\`admin: true\`) have all
scopes, other accounts those of their roles, and programs those of their [automation token](automation-tokens.md) or, over gRPC, of
[\`services.clients\`](grpc.md). A caller without the scope receives 403 \`M_FORBIDDEN\`, which names it.

An account that has a scope can be changed only by a caller who has it too, and only such a caller can give or take a role
that contains it. The account that sends [server notices](server-notices.md) can be changed only by callers with \`notices:send\`. The same holds for all
that acts against an account or in its name: redacting its events, kicking or banning it, deleting or quarantining its media, making it
join, sending as it. A request that names such an account is refused with 403 \`M_FORBIDDEN\`; an order about a selection leaves out what
belongs to it.
[Decision 52](decisions/0052-roles.md) has the reasons.

## Roles

Each server has these roles; administrators create others at \`/_service/admin/v1/roles\`.
`;

/** A role that every server has. */
export interface DocumentedRole {
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly Scope[];
}

/**
 * The reference of all scopes in Markdown: the roles that contain them, what they permit, and the endpoints and fields that
 * require them.
 */
export function accessReference(
  services: readonly DescService[],
  comments: Comments,
  roles: readonly DocumentedRole[],
): string {
  const bindings = compile(services);
  const sections = ScopeSchema.values
    .filter(({ number }) => number !== 0)
    .map(({ number, name }) => {
      const scope = number as Scope;
      const comment = comments(`${ScopeSchema.typeName}.${name}`) ?? '';
      const endpoints = bindings.flatMap((binding) => requirements(binding, scope));
      return [`## ${scopeName(scope)}`, '', comment, '', ...endpoints, ''].join('\n');
    });
  return [INTRODUCTION, tableOf(roles), ...sections].join('\n');
}

function tableOf(roles: readonly DocumentedRole[]): string {
  const rows = roles.map(({ name, description, scopes }) => {
    const named =
      scopes.length === ALL_SCOPES.length
        ? 'all'
        : scopes.map((scope) => `\`${scopeName(scope)}\``).join(', ');
    return `| \`${name}\` | ${description} | ${named} |`;
  });
  return ['| Role | For | Scopes |', '|---|---|---|', ...rows, ''].join('\n');
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
