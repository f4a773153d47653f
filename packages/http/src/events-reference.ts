import type { DescMessage, DescService } from '@bufbuild/protobuf';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { scopeName } from '@steward/rpc';
import { compile } from './bindings.ts';
import type { Comments } from './openapi/comments.ts';
import { wireFields } from './wire-field.ts';

const INTRODUCTION = `# Types of events

Generated from the contracts in \`proto/steward/feed/v1\`; change them, then run \`npm run generate\`.

The feed has an event for each administrative change; [feed.md](feed.md) is about the feed itself. This page lists the types: the scope
without which a caller does not see their events, what their \`data\` contains, and the requests that make them. Types without a
request are made by what users and the server do. Types and fields are added by later releases; a program ignores those that it does
not know. \`data\` has at most 4 KiB; lists and maps in it are shortened to that, which \`truncated\` says.

The schema of each event is in the API description at \`/_service/openapi.json\`, and in that of the events at
\`/_service/asyncapi.json\` ([AsyncAPI 3](https://www.asyncapi.com)).
`;

/** A type of events. */
export interface DocumentedEvent {
  readonly type: string;
  readonly scope: Scope;
  readonly payload: DescMessage;
}

/**
 * The reference of all types of events in Markdown.
 *
 * @throws Error when no comment says what an event or a field of its payload means
 */
export function eventsReference(
  services: readonly DescService[],
  types: readonly DocumentedEvent[],
  comments: Comments,
): string {
  const bindings = compile(services);
  const comment = (name: string) => {
    const text = comments(name);
    if (text === undefined) throw new Error(`${name} has no comment`);
    return text.replaceAll('\n\n', ' ');
  };
  const sections = types.map(({ type, scope, payload }) => {
    const made = bindings.filter(({ rules }) => rules.events.includes(type));
    const fields = wireFields(payload).map(({ key, name, hasPresence }) => {
      const optional = hasPresence ? ', may be absent' : '';
      return `- \`${key}\`${optional}: ${comment(`${payload.typeName}.${name}`)}`;
    });
    return [
      `## ${type}`,
      '',
      `${comment(payload.typeName)} Scope: \`${scopeName(scope)}\`.`,
      '',
      ...(fields.length > 0 ? [...fields, ''] : []),
      ...(made.length > 0
        ? [`Made by ${made.map(({ verb, path }) => `\`${verb} ${path}\``).join(', ')}.`, '']
        : []),
    ].join('\n');
  });
  return [INTRODUCTION, ...sections].join('\n');
}
