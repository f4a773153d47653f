import {
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { DEAD_LETTER_RETENTION_MS } from '../dead-letter-retention.ts';
import { DUPLICATE_WINDOW_MS } from '../duplicate-window.ts';
import { find } from './find.ts';
import type { Names } from './names.ts';

/** How long a consumer may be absent without missing an event: 30 days, in milliseconds. */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;

/**
 * Creates the streams of events and of dead letters if they are missing. An existing stream keeps the
 * limits and replicas that its operator set; only missing subjects are added.
 */
export async function ensureStreams(jsm: JetStreamManager, names: Names, replicas: number): Promise<void> {
  const common = {
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    num_replicas: replicas,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    allow_direct: true,
  };
  await ensureStream(jsm, {
    ...common,
    name: names.stream,
    description: 'Facts of all services',
    subjects: [...names.streamSubjects],
    max_age: nanos(RETENTION_MS),
    discard: DiscardPolicy.Old,
  });
  await ensureStream(jsm, {
    ...common,
    name: names.deadLetterStream,
    description: 'Events that a consumer could not deal with, until they are replayed',
    subjects: [...names.deadLetterSubjects],
    max_age: nanos(DEAD_LETTER_RETENTION_MS),
    discard: DiscardPolicy.New,
  });
}

/** How long a broadcast is kept for instances that start or reconnect: an hour, in milliseconds. */
const BROADCAST_RETENTION_MS = 60 * 60 * 1_000;

/** How many bytes of broadcasts are kept; then the oldest are removed. An instance that starts reads no more. */
const MAX_BROADCAST_BYTES = 32 * 1024 * 1024;

/** Creates the stream of broadcasts, in the memory of the broker, if it is missing. */
export async function ensureBroadcastStream(
  jsm: JetStreamManager,
  names: Names,
  replicas: number,
): Promise<void> {
  await ensureStream(jsm, {
    name: names.broadcastStream,
    description: 'What instances of a service told each other lately; it may be lost',
    subjects: [...names.broadcastSubjects],
    storage: StorageType.Memory,
    retention: RetentionPolicy.Limits,
    num_replicas: replicas,
    max_age: nanos(BROADCAST_RETENTION_MS),
    max_bytes: MAX_BROADCAST_BYTES,
    discard: DiscardPolicy.Old,
    allow_direct: true,
  });
}

type NewStream = Partial<StreamConfig> & Pick<StreamConfig, 'name' | 'subjects'>;

async function ensureStream(jsm: JetStreamManager, stream: NewStream): Promise<void> {
  const existing = await find(jsm.streams.info(stream.name));
  if (!existing) {
    await jsm.streams.add(stream);
    return;
  }
  const { subjects } = existing.config;
  const missing = stream.subjects.filter((subject) => !subjects.includes(subject));
  if (missing.length > 0) await jsm.streams.update(stream.name, { subjects: [...subjects, ...missing] });
}
