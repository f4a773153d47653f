import { type JsonObject, own } from '@steward/kernel';
import type { Filter, FindOptions } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { toClientEvents } from '../reading/client-events.ts';
import { loadEvents } from '../reading/load-events.ts';
import { type ShowOptions, type VisibleEvent, visibleEvents } from './visible-events.ts';

/** The events that are read with one query for all events of a page. */
const MAX_CHILDREN = 1_000;

/** The events that are read for each event of a page, if together they have more than one query reads. */
const MAX_CHILDREN_EACH = 100;

/** The types of relations that are summarised. */
const BUNDLED = ['m.replace', 'm.thread', 'm.reference'] as const;

const PROJECTION = {
  room_id: 1,
  relates_to: 1,
  rel_type: 1,
  sender: 1,
  type: 1,
  state_key: 1,
  arrival: 1,
  depth: 1,
  origin_server_ts: 1,
  soft_failed: 1,
  rejected: 1,
} as const;

/** An event that relates to another, as far as summaries need it. */
type Child = Pick<EventDocument, '_id' | keyof typeof PROJECTION>;

/** What relates to an event. */
interface Children {
  readonly target: VisibleEvent;
  /** The newest replacement that counts. */
  readonly edit: Child | undefined;
  /** Of the thread that begins with it; the newest first. */
  readonly replies: readonly Child[];
  readonly replyCount: number;
  readonly participated: boolean;
  /** In the order of arrival. */
  readonly references: readonly Child[];
}

/**
 * Summaries of the events that relate to visible events, by event id: the newest replacement, the thread and the
 * references. One query finds those of all events, and none is needed for events to which nothing relates; only if there are
 * very many, the events are looked up one by one.
 *
 * @param isNested whether they are for the newest event of a thread, which begins none itself
 */
export async function bundlesOf(
  deps: Deps,
  events: readonly VisibleEvent[],
  options: ShowOptions,
  isNested = false,
): Promise<ReadonlyMap<string, JsonObject>> {
  const targets = events.filter(({ document }) => document.unrelated !== true);
  if (targets.length === 0) return new Map();
  const all = await childrenOf(deps, targets, options, isNested);
  if (all.length === 0) return new Map();
  const shown = await showChildren(
    deps,
    all.flatMap(({ edit, replies }) => [edit ?? [], replies[0] ?? []].flat()),
    options,
    isNested,
  );
  return new Map(
    all.flatMap((children): [string, JsonObject][] => {
      const bundle = bundleOf(children, shown);
      return Object.keys(bundle).length === 0 ? [] : [[children.target.document._id, bundle]];
    }),
  );
}

function bundleOf(
  { edit, replies, replyCount, participated, references }: Children,
  shown: ReadonlyMap<string, JsonObject>,
): JsonObject {
  const replacement = shown.get(edit?._id ?? '');
  // An encrypted replacement has its new content in what only clients can read.
  const isReplaced =
    replacement?.type === 'm.room.encrypted' || own(replacement?.content, 'm.new_content') !== undefined;
  const latest = shown.get(replies[0]?._id ?? '');
  return {
    ...(isReplaced ? { 'm.replace': replacement } : {}),
    ...(latest
      ? { 'm.thread': { latest_event: latest, count: replyCount, current_user_participated: participated } }
      : {}),
    ...(references.length > 0
      ? { 'm.reference': { chunk: references.map(({ _id }) => ({ event_id: _id })) } }
      : {}),
  };
}

/** The given events in the form that the reader receives, by id, without those that the reader may not see. */
async function showChildren(
  deps: Deps,
  children: readonly Child[],
  options: ShowOptions,
  isNested: boolean,
): Promise<ReadonlyMap<string, JsonObject>> {
  const documents = await loadEvents(
    deps,
    children.map(({ _id }) => _id),
  );
  const visible = await visibleEvents(deps, documents, options.access, options.userId);
  const relations = isNested
    ? undefined
    : await bundlesOf(
        deps,
        visible.filter(({ document }) => document.rel_type === 'm.thread'),
        options,
        true,
      );
  const texts = await toClientEvents(
    deps,
    visible.map(({ document }) => document),
    {
      ...options,
      redacted: new Set(visible.flatMap(({ document, isRedacted }) => (isRedacted ? [document._id] : []))),
      memberships: new Map(visible.map(({ document, membership }) => [document._id, membership])),
      ...(relations ? { relations } : {}),
    },
  );
  return new Map(visible.map(({ document }, index) => [document._id, JSON.parse(texts[index] ?? '{}')]));
}

async function childrenOf(
  deps: Deps,
  targets: readonly VisibleEvent[],
  { access: { room, arrival }, userId }: ShowOptions,
  isNested: boolean,
): Promise<readonly Children[]> {
  const find = (
    filter: Filter<EventDocument>,
    options: FindOptions<EventDocument>,
  ): Promise<readonly Child[]> =>
    deps.events
      .find(
        {
          ...filter,
          arrival: { $gte: 1, $lte: arrival },
          redacted_by: null,
          ...(room.horizon ? { depth: { $gte: room.horizon.depth } } : {}),
        },
        { sort: { arrival: -1 }, projection: PROJECTION, ...options },
      )
      .toArray();
  const relTypes = isNested ? ['m.replace', 'm.reference'] : [...BUNDLED];
  const ids = targets.map(({ document }) => document._id);
  const found = await find(
    { relates_to: { $in: ids }, rel_type: { $in: relTypes } },
    { limit: MAX_CHILDREN },
  );
  if (found.length === 0) return [];
  const ignored = await deps.ignoredUsers.of(userId);
  const counts = ({ room_id, sender, soft_failed, rejected }: Child) =>
    room_id === room._id && !ignored.has(sender) && soft_failed !== true && rejected !== true;
  if (found.length < MAX_CHILDREN) {
    const byTarget = Map.groupBy(found.filter(counts), ({ relates_to = '' }) => relates_to);
    return targets.map((target) => {
      const children = byTarget.get(target.document._id) ?? [];
      const replies = children.filter(({ rel_type }) => rel_type === 'm.thread');
      const participated = replies.some(({ sender }) => sender === userId);
      return toChildren(target, children, { userId, replies, replyCount: replies.length, participated });
    });
  }
  const each: Children[] = [];
  for (const target of targets) {
    const thread = { relates_to: target.document._id, rel_type: 'm.thread' };
    const others = { relates_to: target.document._id, rel_type: { $in: ['m.replace', 'm.reference'] } };
    const limit = MAX_CHILDREN_EACH;
    const replies = isNested ? [] : (await find(thread, { limit })).filter(counts);
    const isLong = replies.length > 0;
    const replyCount = isLong
      ? await deps.events.countDocuments({
          ...thread,
          arrival: { $gte: 1, $lte: arrival },
          redacted_by: null,
        })
      : 0;
    const participated = isLong && (await find({ ...thread, sender: userId }, { limit: 1 })).length > 0;
    const children = (await find(others, { limit })).filter(counts);
    each.push(toChildren(target, children, { userId, replies, replyCount, participated }));
  }
  return each;
}

function toChildren(
  target: VisibleEvent,
  children: readonly Child[],
  thread: Pick<Children, 'replies' | 'replyCount' | 'participated'> & { readonly userId: string },
): Children {
  const { userId, participated, ...rest } = thread;
  return {
    ...rest,
    target,
    participated: participated || target.document.sender === userId,
    edit: newestEdit(target, children),
    references: children.filter(({ rel_type }) => rel_type === 'm.reference').toReversed(),
  };
}

/** The newest replacement by the sender of a message; none of a redacted message, of state, and of a replacement. */
function newestEdit({ document, isRedacted }: VisibleEvent, children: readonly Child[]): Child | undefined {
  const { sender, type, state_key, rel_type, redacted_by } = document;
  if (isRedacted || redacted_by !== undefined || state_key !== undefined || rel_type === 'm.replace')
    return undefined;
  const edits = children.filter(
    (child) =>
      child.rel_type === 'm.replace' &&
      child.sender === sender &&
      child.type === type &&
      child.state_key === undefined,
  );
  const isNewer = (a: Child, b: Child) =>
    a.origin_server_ts === b.origin_server_ts ? a._id > b._id : a.origin_server_ts > b.origin_server_ts;
  return edits.reduce<Child | undefined>(
    (newest, edit) => (newest && !isNewer(edit, newest) ? newest : edit),
    undefined,
  );
}
