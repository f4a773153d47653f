import { type OutgoingEvent, outgoing, roomMediaChanged } from '@steward/events';
import type { RunningTask } from '@steward/tasks';
import type { Deps } from '../deps.ts';
import { originalEvent } from '../model/event-form.ts';
import type { Redaction } from '../model/import-document.ts';
import { mediaFieldsOf, mediaOf } from '../model/media-fields.ts';

/** The most content URIs of one fact. */
export const URIS_OF_FACT = 500;

/** The fact that it must be looked up again whether rooms show some media, at most 1,000. */
export function mediaChanged(
  roomId: string,
  uris: readonly string[],
  about: Omit<OutgoingEvent, 'type' | 'fact' | 'aggregate'>,
): OutgoingEvent {
  return outgoing(roomMediaChanged, { roomId, uris: [...uris] }, { ...about, aggregate: roomId });
}

/**
 * The content URIs of the media in the events that redactions have redacted, by the id of the redacted
 * event. They are read from the
 * original events, because a redacted document no longer names them, and an effect may be applied again.
 */
export async function redactedMediaOf(
  { events }: Pick<Deps, 'events'>,
  redactions: readonly Redaction[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const targets = redactions.flatMap(({ redacts }) => (redacts === undefined ? [] : [redacts]));
  if (targets.length === 0) return new Map();
  const uris = new Map<string, readonly string[]>();
  for await (const target of events.find({ _id: { $in: targets } })) {
    uris.set(target._id, mediaOf(mediaFieldsOf(originalEvent(target).event)));
  }
  return uris;
}

/**
 * Stores the fact that a task has removed events that showed media, after it has removed them. The task saves the media before
 * it removes the events, so that an attempt after a crash stores the fact, too.
 *
 * @param part names this part of the work of the task: the fact is stored once for each
 */
export async function announceRemovedMedia(
  { outbox, clock, relay }: Pick<Deps, 'outbox' | 'clock' | 'relay'>,
  task: Pick<RunningTask, 'id' | 'key' | 'requestedBy'>,
  part: string,
  uris: readonly string[],
): Promise<void> {
  if (uris.length === 0) return;
  const now = clock.now();
  const about = { timeMs: now, sequence: now, traceparent: '', requester: task.requestedBy };
  for (let from = 0; from < uris.length; from += URIS_OF_FACT) {
    const id = `${task.id}.media.${part}.${from}`;
    await outbox.add([mediaChanged(task.key, uris.slice(from, from + URIS_OF_FACT), { ...about, id })]);
  }
  relay.notify();
}
