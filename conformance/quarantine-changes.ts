import type { Reply, World } from '@steward/testing';

/** An entry in the list of changes of the quarantine. */
export interface QuarantineChange {
  readonly origin: string;
  readonly media_id: string;
  readonly quarantined: boolean;
}

/** A page of changes. */
export interface QuarantineChanges {
  readonly next_batch: number;
  readonly changes: readonly QuarantineChange[];
}

/** Requests the changes of the quarantine since a position, as the administrator. */
export function quarantineChanges(world: World, from?: string | number): Promise<Reply<QuarantineChanges>> {
  return world.admin.get('/_service/admin/v1/media/quarantine_changes', {
    query: from === undefined ? {} : { from },
  });
}

/** Returns the position after the newest change. */
export async function newestPosition(world: World): Promise<number> {
  let from = 0;
  for (;;) {
    const { next_batch } = (await quarantineChanges(world, from)).body;
    if (next_batch === from) return from;
    from = next_batch;
  }
}
