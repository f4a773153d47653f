import { refuse } from '@steward/errors';
import { isObject, type JsonObject, own } from '@steward/kernel';
import type { Requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { type EventFilter, parseEventFilter } from '../../core/protocol/mod.ts';
import type { EventForm } from '../../core/reading/client-events.ts';

/** The filter of a sync (client-plane.md 10.2). */
export interface SyncFilter {
  /** Selects rooms. */
  readonly room: EventFilter;
  readonly timeline: EventFilter;
  readonly state: EventFilter;
  readonly roomAccountData: EventFilter;
  readonly accountData: EventFilter;
  readonly ephemeral: EventFilter;
  /** Whether unread events of threads are counted apart. */
  readonly countsThreads: boolean;
  /** Whether a first sync includes rooms that the user has left. */
  readonly includeLeave: boolean;
  readonly form: EventForm;
}

/**
 * Reads the filter of a request, which is either JSON or the id of a filter that the account has stored.
 *
 * @throws refuse.notJson for invalid JSON, refuse.badJson for a filter of the wrong shape
 * @throws refuse.invalidParam for an unknown id
 */
export async function readSyncFilter(
  deps: Pick<Deps, 'accountFeeds'>,
  { userId }: Requester,
  text: string | undefined,
): Promise<SyncFilter> {
  if (text === undefined) return parseSyncFilter({});
  if (text.startsWith('{')) return parseSyncFilter(parse(text));
  const stored = await deps.accountFeeds.findFilter(userId, text);
  if (stored === undefined) throw refuse.invalidParam('There is no such filter');
  return parseSyncFilter(parse(stored));
}

function parse(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    throw refuse.notJson('The filter is not JSON');
  }
}

/**
 * Reads a filter from parsed JSON; unknown keys are ignored.
 *
 * @throws refuse.badJson for a filter of the wrong shape
 */
function parseSyncFilter(value: JsonObject): SyncFilter {
  const room = part(value, 'room');
  const includeLeave = own(room, 'include_leave') ?? false;
  if (typeof includeLeave !== 'boolean') throw refuse.badJson("'include_leave' must be a boolean");
  const { eventFormat } = parseEventFilter(value);
  return {
    room: parseEventFilter(room),
    timeline: parseEventFilter(part(room, 'timeline')),
    state: parseEventFilter(part(room, 'state')),
    roomAccountData: parseEventFilter(part(room, 'account_data')),
    accountData: parseEventFilter(part(value, 'account_data')),
    ephemeral: parseEventFilter(part(room, 'ephemeral')),
    countsThreads: own(part(room, 'timeline'), 'unread_thread_notifications') === true,
    includeLeave,
    form: eventFormat,
  };
}

function part(value: JsonObject, key: string): JsonObject {
  const found = own(value, key) ?? {};
  if (!isObject(found)) throw refuse.badJson(`'${key}' must be an object`);
  return found;
}
