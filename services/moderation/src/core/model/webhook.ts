import { type Aggregate, declareAggregate, type PendingEffect } from '@steward/service';

/** Why a webhook is switched off; empty while it is switched on. */
export type DisabledReason = '' | 'requested' | 'gone' | 'failing';

/** A secret with which messages are signed. It is stored as it is, because every message needs it. */
export interface WebhookSecret {
  /** `whsec_` and base64. */
  readonly secret: string;
  /** Until when it signs, in milliseconds since the Unix epoch; null for the current one. */
  readonly until: number | null;
}

/** How far a webhook is. Written without commits by the process that sends, at most some seconds late. */
export interface WebhookProgress {
  /** The position up to which deliveries were made. Only this one counts for correctness. */
  readonly position: number;
  /** Milliseconds since the Unix epoch; null for never. */
  readonly last_success_ts: number | null;
  readonly last_failure_ts: number | null;
  /** Since when no attempt succeeded; null when the last one did. */
  readonly failing_since_ts: number | null;
  /** The positions that it missed last; null for none. */
  readonly missed_from: number | null;
  readonly missed_to: number | null;
}

/** A webhook: a receiver to which events of the feed are sent, and which of them. */
export interface Webhook extends Aggregate {
  /** 28 hexadecimal digits, of which the first 12 are the time of its creation. */
  readonly _id: string;
  readonly url: string;
  readonly description: string;
  /** Types of events and patterns, see `typesMatching`; all when empty. */
  readonly types: readonly string[];
  /** All when empty. */
  readonly targets: readonly string[];
  readonly enabled: boolean;
  readonly disabled_reason: DisabledReason;
  /** When it was switched on last, in milliseconds since the Unix epoch: earlier failures do not switch it off. */
  readonly enabled_ts: number;
  /** The names of the scopes of the caller who made it, or gave it theirs later; null for all, those of later releases included. */
  readonly scopes: readonly string[] | null;
  /** Milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** A user id, or the name of an automation token or a client of services, see `Requester.owner`. */
  readonly created_by: string;
  readonly changed_ts: number;
  readonly changed_by: string;
  /** The present secret, and the previous one if it may still sign. */
  readonly secrets: readonly WebhookSecret[];
  /** True from its deletion until the document is removed, so that a process that still sends for it leaves nothing. */
  readonly deleted: boolean;
  readonly progress: WebhookProgress;
}

/** An administrator switched a webhook on: what waits is still to be made due. */
export interface ResumedEffect extends PendingEffect {
  readonly kind: 'resumed';
  /** Milliseconds since the Unix epoch. */
  readonly ts: number;
}

/** The server switched a webhook off: the event of the feed is still to be made. */
export interface DisabledEffect extends PendingEffect {
  readonly kind: 'disabled';
  readonly reason: Exclude<DisabledReason, '' | 'requested'>;
  /** Milliseconds since the Unix epoch. */
  readonly ts: number;
}

/** Webhooks, by their ids: few enough for one shard. */
export const webhooks = declareAggregate<Webhook, 'progress'>({
  name: 'moderation.webhooks',
  shardKey: null,
  indexes: [{ name: 'list', keys: [['deleted', 1]] }],
  unversioned: ['progress'],
});
