import type { Clock } from '@steward/kernel';
import type { Collections } from '../collections.ts';
import type { EventDocument } from '../model/event-document.ts';
import { originalEvent, toRoomEvent } from '../model/event-form.ts';
import { adminForm, type ClientView, clientForm, federationForm, type RoomEvent } from '../protocol/mod.ts';
import { loadEvents } from './load-events.ts';

/** The form of events: for clients, for administrators, or as servers exchange them. */
export type EventForm = 'client' | 'admin' | 'federation';

/** The form of events, and the session that receives them. */
export interface ClientOptions {
  /** The session that receives its own transaction ids, see `sessionOf`. */
  readonly session?: string;
  /** The ids of events that are written in redacted form, although they are not redacted. */
  readonly redacted?: ReadonlySet<string>;
  /** `client` unless given. */
  readonly form?: EventForm;
  /** Whether the room id is omitted, because the response contains it elsewhere. */
  readonly omitRoomId?: boolean;
}

const WRITERS: Readonly<Record<EventForm, (event: RoomEvent, view: ClientView) => unknown>> = {
  client: clientForm,
  admin: adminForm,
  federation: federationForm,
};

const NONE: ReadonlySet<string> = new Set();

/** Converts events to the form that clients receive (client-plane.md 4.4), as JSON text, in the given order. */
export async function toClientEvents(
  deps: Pick<Collections, 'events'> & { readonly clock: Clock },
  documents: readonly EventDocument[],
  { session, redacted = NONE, form = 'client', omitRoomId = false }: ClientOptions = {},
): Promise<string[]> {
  const related = documents.flatMap(({ redacted_by, replaces }) =>
    [redacted_by ?? [], replaces ?? []].flat(),
  );
  const found = await loadEvents(deps, [...new Set(related)]);
  const others = new Map(found.map((other) => [other._id, toRoomEvent(other)]));
  const now = deps.clock.now();
  const write = WRITERS[form];
  return documents.map((document) => {
    const { _id, redacted_by: redactedBy, replaces, txn_id: transactionId } = document;
    const redactedBecause = others.get(redactedBy ?? '');
    const isRedacted = redacted.has(_id);
    // A viewer who may not see the content may not see the replaced content either.
    const replaced = isRedacted ? undefined : others.get(replaces ?? '');
    const isOwn = session !== undefined && document.session === session && transactionId !== undefined;
    return JSON.stringify(
      write(originalEvent(document), {
        now,
        isRedacted,
        omitRoomId,
        ...(redactedBy === undefined ? {} : { redactedBy }),
        ...(redactedBecause ? { redactedBecause } : {}),
        ...(replaced ? { replaced } : {}),
        ...(isOwn ? { transactionId } : {}),
      }),
    );
  });
}
