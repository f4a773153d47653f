import type { Bus, Fact, SubscribeOptions, Subscription } from '@steward/events';

/** A consumer of facts that the shell of a service starts. Created by `consumer`. */
export interface Consumer {
  /** Subscribes under the name `<service>-<name>`. */
  subscribe(bus: Pick<Bus, 'subscribe'>, service: string): Promise<Subscription>;
}

/**
 * Declares a consumer of facts.
 *
 * @param name unique within the service and the same after every restart
 */
export function consumer<F extends Fact>(
  name: string,
  options: Omit<SubscribeOptions<F>, 'durable'>,
): Consumer {
  return { subscribe: (bus, service) => bus.subscribe({ ...options, durable: `${service}-${name}` }) };
}
