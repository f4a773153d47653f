/** An object of JSON whose fields may be anything. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A room event, read from what its sender made up: fields of a wrong type are absent. */
export interface RoomEvent {
  readonly id: string;
  readonly type: string;
  readonly sender: string;
  /** When its sender says that it was sent, in milliseconds since the Unix epoch. */
  readonly ms: number | undefined;
  /** The state key of a state event. */
  readonly stateKey: string | undefined;
  readonly content: JsonObject;
  readonly redaction:
    | { readonly sender: string | undefined; readonly reason: string | undefined }
    | undefined;
  /** The administrator on whose order it was sent. */
  readonly orderedBy: string | undefined;
  /** The event whose text this one replaces. */
  readonly replaces: string | undefined;
  /** The event as it was received. */
  readonly source: unknown;
}

/** Reads an event. */
export function readEvent(source: unknown): RoomEvent {
  const event = asObject(source);
  const content = asObject(event.content);
  const unsigned = asObject(event.unsigned);
  const because = unsigned.redacted_because;
  const relation = asObject(content['m.relates_to']);
  const isRedacted = because !== undefined || unsigned.redacted_by !== undefined;
  return {
    id: asText(event.event_id) ?? '',
    type: asText(event.type) ?? '',
    sender: asText(event.sender) ?? '',
    ms: asNumber(event.origin_server_ts),
    stateKey: asText(event.state_key),
    content,
    redaction: isRedacted
      ? {
          sender: asText(asObject(because).sender),
          reason: asText(asObject(asObject(because).content).reason),
        }
      : undefined,
    orderedBy: asText(unsigned['steward.ordered_by']),
    replaces: relation.rel_type === 'm.replace' ? asText(relation.event_id) : undefined,
    source,
  };
}

/** The value, if it is an object; else an empty one. */
export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** The value, if it is a text. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value, if it is a number. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The texts in a list. */
export function asTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** The server and the id of a content URI. */
export function readContentUri(
  value: unknown,
): { readonly server: string; readonly mediaId: string } | undefined {
  const [, server, mediaId] = /^mxc:\/\/([^/?#\s]+)\/([A-Za-z0-9_-]+)$/.exec(asText(value) ?? '') ?? [];
  return server === undefined || mediaId === undefined ? undefined : { server, mediaId };
}
