/** Facts (domain events): their declaration, the outbox, the relay and the bus to consumers; and notifications. */
export type {
  Broadcast,
  BroadcastOptions,
  Bus,
  DeadLetter,
  DeadLetters,
  PublicMessage,
  PublicStream,
  SubscribeOptions,
  Subscription,
} from './bus.ts';
export { copiedDeadLetter } from './copied-dead-letter.ts';
export { fromDeadLetterId, toDeadLetterId } from './dead-letter-created.ts';
export { BusRefused, BusUnavailable } from './errors.ts';
export { declareFact, type Fact } from './fact.ts';
export {
  auditRecorded,
  eventOccurred,
  mediaUploadMatched,
  roomCreated,
  roomGuestAccessWithdrawn,
  roomMediaChanged,
  roomMemberChanged,
  roomPurged,
  userCreated,
  userDeactivated,
  userProfileChanged,
  userReactivated,
} from './facts.ts';
export { authenticatorOf, type Broker } from './jetstream/broker.ts';
export { createJetStreamBus, type JetStreamBusOptions } from './jetstream/bus.ts';
export { parseServers } from './jetstream/parse-servers.ts';
export {
  type BusUse,
  commandPermissions,
  type Permissions,
  publicReaderPermissions,
  servicePermissions,
} from './jetstream/permissions.ts';
export {
  COMMAND_CLIENT,
  type CopiedMessage,
  copiedEvent,
  openStreamCopy,
  type Position,
  type StreamCopy,
} from './jetstream/stream-copy.ts';
export { createLocalBus, type LocalBusOptions } from './local/bus.ts';
export { localDeadLetters, type StoredDeadLetter } from './local/dead-letters.ts';
export { type Outbox, openOutbox, outboxDeclaration } from './outbox.ts';
export { type OutgoingEvent, outgoing } from './outgoing.ts';
export type { OutboxReading } from './read-outbox.ts';
export type { ReceivedEvent } from './received.ts';
export type { Relay, RelayOptions } from './relay.ts';
export type { Report } from './report.ts';
export { startRelay } from './start-relay.ts';
export { accountTopic, PUSHERS_TOPIC } from './topics.ts';
export { traceBus } from './trace-bus.ts';
