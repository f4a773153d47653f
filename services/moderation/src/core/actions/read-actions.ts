import { refuse, toConnectError, toRefusal } from '@steward/errors';
import type { NewReportOrder } from '@steward/proto/steward/moderation/v1/report_resolution_pb.ts';
import type { Deps } from '../deps.ts';
import type { ReportCase } from '../model/case.ts';
import type { ActionDetails, ActionKey } from './action.ts';
import type { ActionKind } from './define-action.ts';
import { type Action, actionNamed, kindOf } from './kinds.ts';

/** The most actions of a resolution. */
const MAX_ACTIONS = 20;

/**
 * Reads the actions of a request, and completes them from the case. Nothing is looked up for them.
 *
 * @param caller the user id of the administrator
 * @throws refuse.invalidParam, refuse.missingParam, which name the action
 */
export function readActions(
  reported: ReportCase,
  given: readonly NewReportOrder[],
  caller: string,
): Promise<readonly Action[]> {
  if (given.length > MAX_ACTIONS) throw refuse.invalidParam(`A resolution has at most ${MAX_ACTIONS} orders`);
  return forEachAction(given, async (each) => readAction(reported, each, caller));
}

/** Completes actions with what must be known before any of them is carried out: a redacted event shows no media. */
export function lookUpActions(
  deps: Pick<Deps, 'actions'>,
  actions: readonly Action[],
): Promise<readonly Action[]> {
  return forEachAction(actions, async ({ kind, details }) => ({
    kind,
    details: (await kindOf({ kind }).lookUp?.(deps, details)) ?? details,
  }));
}

/** Does something for each action of a request, one after the other; a refusal says which one it concerns, in the words of the API. */
export async function forEachAction<T extends { readonly kind: string }, R>(
  actions: readonly T[],
  work: (action: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (const [index, action] of actions.entries()) {
    try {
      results.push(await work(action));
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal.status >= 500) throw error;
      const message = `orders[${index}] (${action.kind.slice(0, 32)}): ${refusal.message}`;
      throw toConnectError({ ...refusal, message }, error);
    }
  }
  return results;
}

function readAction(reported: ReportCase, given: NewReportOrder, caller: string): Action {
  const kind = actionNamed(given.kind);
  if (kind === undefined) throw refuse.invalidParam('There is no such kind of orders');
  const definition = kindOf({ kind });
  const stated = statedIn(given);
  const details = definition.ofCase?.(stated, reported) ?? complete(definition, stated, reported);
  if (definition.notForOneself && details.user_id === caller)
    throw refuse.invalidParam('An order does not concern the own account');
  return { kind, details };
}

/** The keys that a request states. */
function statedIn(given: NewReportOrder): ActionDetails {
  const stated = {
    user_id: given.userId,
    room_id: given.roomId,
    event_id: given.eventId,
    rooms: given.rooms === 'all' ? ('all' as const) : undefined,
    reason: given.reason,
    erase: given.erase,
    block: given.block,
    purge: given.purge,
    force_purge: given.forcePurge,
    new_room_user_id: given.newRoomUserId,
    room_name: given.roomName,
    message: given.message,
    text: given.text,
  } satisfies { readonly [K in ActionKey]: ActionDetails[K] | undefined };
  return Object.fromEntries(
    Object.entries(stated).filter(([, value]) => value !== undefined),
  ) as ActionDetails;
}

function complete(
  { needs, may = [], inPlaceOf = {} }: ActionKind,
  stated: ActionDetails,
  reported: ReportCase,
): ActionDetails {
  const known: readonly string[] = [...needs, ...may];
  const strange = Object.keys(stated).find((key) => !known.includes(key));
  if (strange !== undefined) throw refuse.invalidParam(`It has no '${strange}'`);
  const replaced = new Set<ActionKey>();
  for (const [other, key] of Object.entries(inPlaceOf)) {
    if (!Object.hasOwn(stated, other)) continue;
    if (stated[key] !== undefined)
      throw refuse.invalidParam(`Only one of '${key}' and '${other}' is possible`);
    replaced.add(key);
  }
  const details: Record<string, unknown> = { ...stated };
  for (const key of needs.filter((each) => !replaced.has(each))) {
    const value = stated[key] ?? fromCase(key, stated, reported);
    if (typeof value !== 'string' || value === '') throw refuse.missingParam(`'${key}' is required`);
    details[key] = value;
  }
  return details as ActionDetails;
}

/** What the case has for a key that an action does not state. The event of a case is in its room. */
function fromCase(key: ActionKey, stated: ActionDetails, reported: ReportCase): string | null {
  if (key === 'user_id') return reported.user_id;
  if (key === 'room_id') return reported.room_id;
  return key === 'event_id' && (stated.room_id ?? reported.room_id) === reported.room_id
    ? reported.event_id
    : null;
}
