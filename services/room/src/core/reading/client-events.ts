import type { Clock, JsonObject } from '@steward/kernel';
import type { Collections } from '../collections.ts';
import { type EventDocument, replacedIdOf } from '../model/event-document.ts';
import { originalEvent, redacted as toRedacted, toRoomEvent } from '../model/event-form.ts';
import {
  adminForm,
  type ClientView,
  clientForm,
  federationForm,
  type Membership,
  type RoomEvent,
  type Visibility,
} from '../protocol/mod.ts';
import { loadEvents } from './load-events.ts';

/** The form of events: for clients, for administrators, or as servers exchange them. */
export type EventForm = 'client' | 'admin' | 'federation';

/** The visibility of some events for the reader, in the order of the events. */
export type Judge = (documents: readonly EventDocument[]) => Promise<readonly Visibility[]>;

/** Judges for administrators, who see every event. */
export const SEES_ALL: Judge = async (documents) => documents.map(() => 'whole');

/** The form of events, and the session that receives them. */
export interface ClientOptions {
  /** Judges the events that shown ones replaced: a replaced event is shown to those only who may see it. */
  readonly judgeReplaced: Judge;
  /** The session that receives its own transaction ids, see `sessionOf`. */
  readonly session?: string;
  /** The ids of events that are written in redacted form, although they are not redacted. */
  readonly redacted?: ReadonlySet<string>;
  /** The memberships of the viewer right after the events, by event id; where it is missing, events do not say it. */
  readonly memberships?: ReadonlyMap<string, Membership>;
  /** Summaries of the events that relate to the events, by event id. */
  readonly relations?: ReadonlyMap<string, JsonObject>;
  /** `client` unless given. */
  readonly form?: EventForm;
  /** Whether the room id is omitted, because the response contains it elsewhere. */
  readonly omitRoomId?: boolean;
  /** Whether the reader is an administrator, who sees on whose order an event was sent; members do if the settings say so. */
  readonly showsOrders?: boolean;
}

/** What showing events depends on; see `Deps`. */
interface ShowingDeps extends Pick<Collections, 'events'> {
  readonly clock: Clock;
  readonly settings: { readonly showOrders: boolean };
}

const WRITERS: Readonly<Record<EventForm, (event: RoomEvent, view: ClientView) => unknown>> = {
  client: clientForm,
  admin: adminForm,
  federation: federationForm,
};

const NONE: ReadonlySet<string> = new Set();

/** Converts events to the form that clients receive (client-plane.md 4.4), as JSON text, in the given order. */
export async function toClientEvents(
  deps: ShowingDeps,
  documents: readonly EventDocument[],
  {
    judgeReplaced,
    session,
    redacted = NONE,
    memberships,
    relations: bundles,
    form = 'client',
    omitRoomId = false,
    showsOrders = deps.settings.showOrders,
  }: ClientOptions,
): Promise<string[]> {
  const related = documents.flatMap((document) =>
    [document.redacted_by ?? [], replacedIdOf(document) ?? []].flat(),
  );
  const others = new Map(
    (await loadEvents(deps, [...new Set(related)])).map((other) => [other._id, other] as const),
  );
  const redactions = documents.flatMap(({ redacted_by }) => others.get(redacted_by ?? '') ?? []);
  // A ban that redacts has replaced a member event.
  const banned = redactions.flatMap((redaction) => {
    const replaces = replacedIdOf(redaction) ?? '';
    return replaces === '' || others.has(replaces) ? [] : [replaces];
  });
  for (const other of await loadEvents(deps, [...new Set(banned)])) others.set(other._id, other);
  // A viewer who may not see the content of an event may not see the content that it replaced either.
  const replacing = documents.filter(({ _id }) => !redacted.has(_id));
  const earlier = [...replacing, ...redactions].flatMap(
    (document) => others.get(replacedIdOf(document) ?? '') ?? [],
  );
  const replaced = await shownOf([...new Set(earlier)], judgeReplaced);
  const now = deps.clock.now();
  const write = WRITERS[form];
  const orderOf = (document?: EventDocument) =>
    showsOrders || document?.shows_order ? document?.ordered_by : undefined;
  return documents.map((document) => {
    const { _id, redacted_by: redactedBy, txn_id: transactionId } = document;
    const redaction = others.get(redactedBy ?? '');
    const isRedacted = redacted.has(_id);
    const before = isRedacted ? undefined : replaced.get(replacedIdOf(document) ?? '');
    const membership = memberships?.get(_id);
    const relations = bundles?.get(_id);
    const isOwn = session !== undefined && document.session === session && transactionId !== undefined;
    return JSON.stringify(
      write(originalEvent(document), {
        now,
        isRedacted,
        omitRoomId,
        ...(redactedBy === undefined ? {} : { redactedBy }),
        ...(redaction ? { redactedBecause: toRoomEvent(redaction) } : {}),
        redactionReplaced: replaced.get((redaction && replacedIdOf(redaction)) ?? ''),
        ...(before ? { replaced: before } : {}),
        ...(isOwn ? { transactionId } : {}),
        ...(membership === undefined ? {} : { membership }),
        ...(relations === undefined ? {} : { relations }),
        orderedBy: orderOf(document),
        redactionOrderedBy: orderOf(redaction),
      }),
    );
  });
}

/** The events that a reader may see, by id, in the form that the reader may see. */
async function shownOf(
  documents: readonly EventDocument[],
  judge: Judge,
): Promise<ReadonlyMap<string, RoomEvent>> {
  if (documents.length === 0) return new Map();
  const visibilities = await judge(documents);
  return new Map(
    documents.flatMap((document, index) => {
      const visibility = visibilities[index];
      if (visibility === 'whole') return [[document._id, toRoomEvent(document)] as const];
      return visibility === 'redacted' ? [[document._id, toRedacted(toRoomEvent(document))] as const] : [];
    }),
  );
}
