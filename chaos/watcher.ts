import type { Caller } from './caller.ts';

interface Timeline {
  readonly limited?: boolean;
  readonly events: readonly { readonly event_id: string }[];
}

/** A user who syncs now and then, and keeps book of what they are told. */
export class Watcher {
  readonly #token: string;
  #since: string | undefined;
  /** The events of which they were told, by room. */
  readonly seen = new Map<string, Set<string>>();
  /** Rooms of which they were told that something was left out. */
  readonly gaps = new Set<string>();

  constructor(token: string) {
    this.#token = token;
  }

  /**
   * Syncs once.
   *
   * @throws Error when told twice of an event
   */
  async sync(caller: Caller): Promise<void> {
    const since = this.#since === undefined ? '' : `&since=${encodeURIComponent(this.#since)}`;
    const { body } = await caller.must([200], 'GET', `/_proto/client/v3/sync?timeout=0${since}`, {
      token: this.#token,
    });
    const joined: Record<string, { readonly timeline: Timeline }> = body.rooms?.join ?? {};
    for (const [roomId, { timeline }] of Object.entries(joined)) this.#note(roomId, timeline);
    this.#since = body.next_batch;
  }

  #note(roomId: string, { limited, events }: Timeline): void {
    const seen = this.seen.get(roomId) ?? new Set();
    this.seen.set(roomId, seen);
    if (limited) this.gaps.add(roomId);
    for (const { event_id: id } of events) {
      if (seen.has(id)) throw new Error(`Sync tells twice of ${id} in ${roomId}`);
      seen.add(id);
    }
  }
}
