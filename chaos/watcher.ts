import type { Caller } from './caller.ts';

interface Timeline {
  readonly limited?: boolean;
  readonly events: readonly { readonly event_id: string }[];
}

/** A user who syncs from time to time and records the returned events. */
export class Watcher {
  readonly #token: string;
  #since: string | undefined;
  /** The returned events, by room. */
  readonly seen = new Map<string, Set<string>>();
  /** Rooms with a limited timeline, which omits events. */
  readonly gaps = new Set<string>();

  constructor(token: string) {
    this.#token = token;
  }

  /**
   * Syncs once.
   *
   * @throws Error when an event is returned twice
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
      if (seen.has(id)) throw new Error(`Sync returns ${id} in ${roomId} twice`);
      seen.add(id);
    }
  }
}
