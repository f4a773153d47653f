import {
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
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

/** How many bytes of events of the feed the broker keeps; then the oldest are removed. A million events have about half of it. */
const MAX_PUBLIC_BYTES = 1024 * 1024 * 1024;

/** Creates the public stream if it is missing; returns what it is. */
export function ensurePublicStream(
  jsm: JetStreamManager,
  names: Names,
  { replicas, retentionMs }: { readonly replicas: number; readonly retentionMs: number },
): Promise<StreamInfo> {
  return ensureStream(jsm, {
    name: names.publicStream,
    description: 'Events of the feed, for consumers that are no part of the server',
    subjects: [...names.publicSubjects],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    num_replicas: replicas,
    // The broker remembers no id for longer than the message.
    max_age: nanos(Math.max(retentionMs, DUPLICATE_WINDOW_MS)),
    max_bytes: MAX_PUBLIC_BYTES,
    discard: DiscardPolicy.Old,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    allow_direct: true,
  });
}

type NewStream = Partial<StreamConfig> & Pick<StreamConfig, 'name' | 'subjects'>;

async function ensureStream(jsm: JetStreamManager, stream: NewStream): Promise<StreamInfo> {
  const existing = await find(jsm.streams.info(stream.name));
  if (!existing) return jsm.streams.add(stream);
  const { subjects } = existing.config;
  const missing = stream.subjects.filter((subject) => !subjects.includes(subject));
  if (missing.length === 0) return existing;
  return jsm.streams.update(stream.name, { subjects: [...subjects, ...missing] });
}
