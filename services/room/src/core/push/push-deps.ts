import type { Report } from '@steward/events';
import type { FairSlots } from '@steward/limits';
import type { Counter, Labels } from '@steward/telemetry';
import type { Sender } from '@steward/webhooks';
import type { PushTargets } from '../../peers/push-targets.ts';
import type { Deps } from '../deps.ts';

/** The dependencies of pushes. */
export interface PushDeps extends Deps {
  readonly targets: PushTargets;
  readonly sender: Sender;
  readonly report: Report;
  readonly attempts: Counter<Labels<'steward_push_attempts_total'>>;
  /** Run requests, by the host of the gateway, so that one that is slow delays no other. */
  readonly gatewaySlots: FairSlots;
}

/** The most events of a room that may wait for a pusher, the latest: earlier ones are not pushed any more. */
export const MAX_WAITING = 1_000;

/** How long an event may wait for a pusher, in milliseconds. */
export const MAX_AGE_MS = 24 * 60 * 60_000;
