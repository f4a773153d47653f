import { outboxDeclaration } from './outbox.ts';
import { OutboxRelay } from './outbox-relay.ts';
import type { Relay, RelayOptions } from './relay.ts';

/** Starts a relay. On the bus of one process, subscribe the consumers first. */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const entries = await options.store.collection(outboxDeclaration(options.service));
  return new OutboxRelay(entries, options);
}
