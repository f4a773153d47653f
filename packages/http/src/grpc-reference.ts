import { type DescField, type DescMessage, type DescService, ScalarType } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { methodRules, scopeName } from '@steward/rpc';
import { type Binding, compile } from './bindings.ts';
import type { Comments } from './openapi/comments.ts';

const INTRODUCTION = `# Methods and messages over gRPC

Generated from the contracts in \`proto/\`; change them, then run \`npm run generate\`.

The methods that a client of services may call, by the process that serves them, with the scope that each requires and its
endpoint in the JSON API; then the messages of these methods. How to connect, what a client may do, and what errors mean:
[grpc.md](grpc.md). A method in *italics* changes nothing, so that it can always be repeated. Fields that require a further scope:
[access.md](access.md).
`;

/** The package of the services of a process, and of their messages. */
const PACKAGE = /^steward\.(\w+)\.v1$/;

/**
 * The reference of what clients of services may call, in Markdown: methods with their scopes and endpoints, and the messages that
 * are reachable from them.
 */
export function grpcReference(services: readonly DescService[], comments: Comments): string {
  const endpoints = Map.groupBy(compile(services), ({ method }) => method);
  const offered = services
    .map((service) => ({
      service,
      methods: service.methods.filter((method) => isOffered(methodRules(method))),
    }))
    .filter(({ methods }) => methods.length > 0);
  const messages = reachable(
    offered.flatMap(({ methods }) => methods.flatMap(({ input, output }) => [input, output])),
  );
  const processes = Map.groupBy(offered, ({ service }) => processOf(service));
  const sections = [...processes].map(([process, its]) => {
    const tables = its.map(({ service, methods }) => {
      const rows = methods.map((method) => {
        const rules = methodRules(method);
        const scope = rules.access === Access.ADMIN ? `\`${scopeName(rules.scope)}\`` : '';
        const isRead = method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
        const pieces = method.methodKind === 'server_streaming' ? 'stream of ' : '';
        const inAndOut = `${link(method.input)} → ${pieces}${link(method.output)}`;
        const name = isRead ? `*${method.name}*` : method.name;
        const comment = cell(comments(`${service.typeName}.${method.name}`));
        return `| ${name} | ${comment}<br>${inAndOut} | ${scope} | ${endpoint(endpoints.get(method)?.[0])} |`;
      });
      return [
        `### ${service.typeName}`,
        '',
        comments(service.typeName) ?? '',
        '',
        '| Method | | Scope | JSON API |',
        '|---|---|---|---|',
        ...rows,
        '',
      ].join('\n');
    });
    return [`## The ${process} service`, '', ...tables].join('\n');
  });
  return [INTRODUCTION, ...sections, messageTable(messages, comments)].join('\n');
}

/** Whether clients may call a method. */
function isOffered({ access, anyCredential, plansRequests }: ReturnType<typeof methodRules>): boolean {
  return (access === Access.ADMIN || anyCredential) && !plansRequests;
}

function processOf(service: DescService): string {
  return PACKAGE.exec(service.file.proto.package)?.[1] ?? service.file.proto.package;
}

function endpoint(binding: Binding | undefined): string {
  return binding ? `\`${binding.verb} ${binding.path}\`` : '';
}

/** The messages of steward that these contain, and themselves, by name. */
function reachable(roots: readonly DescMessage[]): readonly DescMessage[] {
  const found = new Set<DescMessage>();
  const visit = (message: DescMessage) => {
    if (found.has(message) || !isOwn(message)) return;
    found.add(message);
    for (const field of message.fields) if (field.message) visit(field.message);
  };
  for (const root of roots) visit(root);
  return [...found].sort((one, other) => one.typeName.localeCompare(other.typeName, 'en'));
}

function isOwn({ typeName }: DescMessage): boolean {
  return typeName.startsWith('steward.');
}

function messageTable(messages: readonly DescMessage[], comments: Comments): string {
  const byPackage = Map.groupBy(messages, ({ file }) => file.proto.package);
  const sections = [...byPackage].map(([name, its]) => {
    const rows = its.flatMap((message) => {
      const title = message.typeName.slice(name.length + 1);
      const head = `| <a id="${anchor(message)}"></a>**${title}** | | ${cell(comments(message.typeName))} |`;
      const fields = message.fields.map((field) => {
        const comment = cell(comments(`${message.typeName}.${field.name}`));
        return `| ${field.name} | ${typeOf(field)} | ${comment} |`;
      });
      return [head, ...fields];
    });
    return [`### ${name}`, '', '| Message and fields | Type | |', '|---|---|---|', ...rows, ''].join('\n');
  });
  return ['## Messages', '', ...sections].join('\n');
}

/** The type of a field as its contract writes it. */
function typeOf(field: DescField): string {
  const single = field.message
    ? link(field.message)
    : (field.enum?.name ?? nameOf(field.scalar ?? ScalarType.STRING));
  if (field.fieldKind === 'list') return `repeated ${single}`;
  if (field.fieldKind === 'map') return `map of ${nameOf(field.mapKey)} to ${single}`;
  return field.proto.proto3Optional ? `optional ${single}` : single;
}

function nameOf(scalar: ScalarType): string {
  return ScalarType[scalar].toLowerCase();
}

/** A link to a message in this document, or the name of one of Google. */
function link(message: DescMessage): string {
  return isOwn(message) ? `[${message.name}](#${anchor(message)})` : message.typeName;
}

function anchor({ typeName }: DescMessage): string {
  return typeName.replace('steward.', '').toLowerCase();
}

/** A comment as a cell of a table. */
function cell(comment = ''): string {
  return comment.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll(/\n+/g, ' ');
}
