import { refuse } from '@steward/errors';
import type { Rights } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { toRoomEvent } from '../model/event-form.ts';
import { stateKeyOf } from '../model/room-memory.ts';
import {
  authorize,
  authStateKeys,
  denyRedaction,
  type EventDraft,
  isRedactable,
  isUserId,
  type RoomEvent,
  type RoomVersion,
  type StateLookup,
  serverNameOf,
} from '../protocol/mod.ts';
import { stateEventsAt } from '../reading/state-at.ts';
import { isRefusal } from '../refusals/is-refusal.ts';
import type { RoomView } from '../view/room-view.ts';
import { chooseSender } from './choose-sender.ts';

/** In whose name an ordered redaction is sent. */
export interface Redactor {
  readonly sender: string;
  /** The state by which the redaction is admitted; absent if the current one admits it. */
  readonly admittedBy?: StateLookup;
  /** See `ChosenSender`. */
  readonly showsOrder?: boolean;
}

/** A redaction that an administrator orders. */
export interface RedactionToSend {
  readonly version: RoomVersion;
  /** The event to redact. */
  readonly stored: EventDocument;
  /** The redaction as it would be with a sender. */
  readonly draftOf: (sender: string) => EventDraft;
  /** Who sends it if they may, or could when the event was sent; without one, members with power come first. */
  readonly preferred?: string | undefined;
  /** The name of the caller who orders it, see `Order.actor`. */
  readonly actor: string;
  /** The rights of that caller. */
  readonly rights: Rights;
}

/**
 * Chooses in whose name an ordered redaction is sent: of the preferred user, if the room admits it or would have when the event was
 * sent; else of the most powerful local member who may, or the sender of the event. If the room admits it of none of them, the server sends it
 * on its own authority, in the name of the sender of the event if that is a user of this server, else of the administrator who orders it.
 *
 * @throws refuse.unknown for an event that cannot be redacted, and when there is none in whose name the server may speak
 */
export async function chooseRedactor(deps: Deps, view: RoomView, order: RedactionToSend): Promise<Redactor> {
  const { version, stored, draftOf, preferred, actor } = order;
  if (!isRedactable(stored.type)) throw refuse.unknown(`${stored.type} cannot be redacted`);
  const now = (sender: string) => view.lookup(authStateKeys(draftOf(sender)));
  if (preferred !== undefined) {
    if (mayRedact(order, preferred, await now(preferred))) return { sender: preferred };
    const then = await stateAfter(deps, stored, draftOf(preferred));
    if (mayRedact(order, preferred, then)) return { sender: preferred, admittedBy: then };
  }
  const deny = async (redactor: string) =>
    denyRedaction(
      { roomId: stored.room_id, redactor, target: toRoomEvent(stored) },
      version,
      await now(redactor),
    );
  try {
    const options = { asServer: true, last: stored.sender, deny };
    return await chooseSender(deps, view, version, order, draftOf, options);
  } catch (error) {
    const own = [stored.sender, actor].find((name) => isLocal(deps, name));
    if (own === undefined || !isRefusal(error)) throw error;
    return { sender: own, admittedBy: await now(own) };
  }
}

/** Whether a room admits the redaction from a sender, given a state. */
function mayRedact(
  { version, stored, draftOf }: RedactionToSend,
  redactor: string,
  state: StateLookup,
): boolean {
  const request = { roomId: stored.room_id, redactor, target: toRoomEvent(stored) };
  return !authorize(draftOf(redactor), version, state) && !denyRedaction(request, version, state);
}

/** The state after an event, as far as a draft depends on it. */
async function stateAfter(
  deps: Pick<Deps, 'states' | 'events'>,
  { room_id: roomId, arrival = 0 }: EventDocument,
  draft: EventDraft,
): Promise<StateLookup> {
  const found = new Map<string, RoomEvent>();
  for (const document of await stateEventsAt(deps, { roomId, arrival }, authStateKeys(draft)))
    found.set(stateKeyOf(document.type, document.state_key ?? ''), toRoomEvent(document));
  return (type, stateKey) => found.get(stateKeyOf(type, stateKey));
}

function isLocal({ serverName }: Pick<Deps, 'serverName'>, name: string): boolean {
  return isUserId(name) && serverNameOf(name) === serverName;
}
