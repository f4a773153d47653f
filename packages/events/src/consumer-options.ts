import type { SubscribeOptions } from './bus.ts';
import type { Fact } from './fact.ts';

/** With the last delays, about four minutes pass before a dead letter, so that a peer's restart causes none. */
const DEFAULT_REDELIVERY_DELAYS_MS = [100, 500, 2_000, 5_000, 15_000, 30_000, 60_000] as const;
const DEFAULT_MAX_DELIVERIES = 10;
/** Handlers mostly wait for the store; more concurrent ones would only queue there. */
const DEFAULT_CONCURRENCY = 16;

const DURABLE = /^[a-z][a-z0-9_-]*$/;

/**
 * Checks the options of a subscription and fills in the defaults.
 *
 * @throws TypeError when the name is not of the documented form, no fact is given, or a bound is broken
 */
export function consumerOptions<F extends Fact>(options: SubscribeOptions<F>): Required<SubscribeOptions<F>> {
  const {
    durable,
    facts,
    handler,
    maxDeliveries = DEFAULT_MAX_DELIVERIES,
    redeliveryDelaysMs = DEFAULT_REDELIVERY_DELAYS_MS,
    startsInOrder = false,
    concurrency = DEFAULT_CONCURRENCY,
  } = options;
  const fail = (what: string): never => {
    throw new TypeError(`Consumer ${durable}: ${what}`);
  };
  if (!DURABLE.test(durable)) fail('the name has other than lower-case letters, digits, _ and -');
  if (facts.length === 0) fail('no facts');
  if (!Number.isSafeInteger(maxDeliveries) || maxDeliveries < 1) fail('maxDeliveries is below 1');
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) fail('concurrency is below 1');
  if (redeliveryDelaysMs.length === 0 || redeliveryDelaysMs.some((delayMs) => !(delayMs >= 0)))
    fail('redeliveryDelaysMs is empty or has a negative delay');
  return { durable, facts, handler, maxDeliveries, redeliveryDelaysMs, startsInOrder, concurrency };
}
