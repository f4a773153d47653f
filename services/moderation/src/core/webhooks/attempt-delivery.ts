import { hasScope } from '@steward/rpc';
import { NOT_FLUSHED, type Update } from '@steward/store';
import {
  isAccepted,
  type Outcome,
  parseSecret,
  pauseAsked,
  pauseBefore,
  signatureHeaders,
} from '@steward/webhooks';
import type { Webhook } from '../model/webhook.ts';
import type { Attempt, WebhookDelivery } from '../model/webhook-delivery.ts';
import type { WebhookDeps } from './webhook-deps.ts';
import { rightsOfWebhook } from './webhook-rights.ts';

/** The most attempts that a delivery remembers: those of two rounds. */
const MAX_REMEMBERED = 20;

const SECOND_MS = 1_000;
const GONE = 410;

/** What characters of an id a header keeps; a full stop would separate the parts of what is signed. */
const UNSAFE = /[^\w:@!#$+/=-]/g;

/** What an attempt showed of the receiver: `none` when nothing was sent, or the attempt was ended by this process. */
export type Shown = 'accepted' | 'refused' | 'gone' | 'none';

type AttemptDeps = Pick<
  WebhookDeps,
  'clock' | 'deliveryRetentionMs' | 'random' | 'sender' | 'webhookAttempts' | 'webhookDeliveries'
>;

/**
 * Makes one attempt to deliver a message, and records its outcome. A process that is killed in between repeats the attempt; the
 * message has the same id then. Never sends what the webhook may no longer get.
 *
 * @param signal ends the attempt, which then does not count
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  webhook: Webhook,
  delivery: WebhookDelivery,
  signal: AbortSignal,
): Promise<Shown> {
  const { clock, webhookAttempts } = deps;
  const { scope } = delivery;
  if (scope !== null && !hasScope(rightsOfWebhook(webhook), scope)) {
    await record(deps, delivery, { $set: endingWith(deps, 'discarded'), $unset: { due: true } });
    webhookAttempts.add({ outcome: 'discarded' });
    return 'none';
  }
  const begun = clock.now();
  const { url } = webhook;
  const headers = { 'content-type': 'application/json', ...signed(webhook, delivery, begun) };
  const outcome = await deps.sender.post({ url, headers, body: delivery.body, signal });
  if (outcome.kind === 'failed' && outcome.reason === 'aborted') return 'none';
  const made = delivery.attempt + 1;
  const attempts = [...delivery.attempts, attemptOf(outcome, begun)].slice(-MAX_REMEMBERED);
  if (isAccepted(outcome)) {
    const ending = endingWith(deps, 'delivered');
    await record(deps, delivery, {
      $set: { ...ending, attempt: made, attempts },
      $unset: { due: true },
    });
    webhookAttempts.add({ outcome: 'delivered' });
    return 'accepted';
  }
  const isGone = outcome.kind === 'answered' && outcome.status === GONE;
  // A test shows the first answer, and is not repeated.
  const pauseMs = isGone || scope === null ? undefined : pauseBefore(made, pauseAsked(outcome), deps.random);
  const update: Update<WebhookDelivery> =
    pauseMs === undefined
      ? { $set: { ...endingWith(deps, 'failed'), attempt: made, attempts }, $unset: { due: true } }
      : { $set: { due: clock.now() + pauseMs, attempt: made, attempts } };
  await record(deps, delivery, update);
  webhookAttempts.add({ outcome: pauseMs === undefined ? 'failed' : 'retried' });
  return isGone ? 'gone' : 'refused';
}

/** The headers that identify and sign a message. */
function signed({ secrets }: Webhook, { event, body }: WebhookDelivery, now: number): Record<string, string> {
  const keys = secrets
    .filter(({ until }) => until === null || until > now)
    .map(({ secret }) => parseSecret(secret))
    .filter((key) => key !== undefined);
  return signatureHeaders(
    { id: messageId(event), timestampSeconds: Math.floor(now / SECOND_MS), body },
    keys,
  );
}

/** The id of the message of an event: the id of the event, with `~` for full stops and for what no header can have. */
function messageId(event: string): string {
  return event.replaceAll(UNSAFE, '~');
}

function attemptOf(outcome: Outcome, ts: number): Attempt {
  const duration_ms = Math.max(0, Math.round(outcome.durationMs));
  return outcome.kind === 'answered'
    ? { ts, status: outcome.status, failure: null, detail: null, duration_ms }
    : { ts, status: null, failure: outcome.reason, detail: outcome.detail, duration_ms };
}

function endingWith(
  { clock, deliveryRetentionMs }: AttemptDeps,
  state: 'delivered' | 'failed' | 'discarded',
): Pick<WebhookDelivery, 'state' | 'keep_until'> & { readonly ended_ts: number } {
  const now = clock.now();
  return { state, ended_ts: now, keep_until: now + deliveryRetentionMs };
}

/** Records an outcome, unless another process was quicker. What a power failure loses is sent again. */
async function record(
  { webhookDeliveries }: AttemptDeps,
  { _id, webhook, attempt }: WebhookDelivery,
  update: Update<WebhookDelivery>,
): Promise<void> {
  await webhookDeliveries.updateOne({ _id, webhook, state: 'pending', attempt }, update, NOT_FLUSHED);
}
