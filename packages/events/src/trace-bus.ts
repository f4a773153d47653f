import { endWith, type SpanDescription, type Tracing, withOverrides } from '@steward/kernel';
import type { Bus, SubscribeOptions } from './bus.ts';
import type { Fact } from './fact.ts';
import type { ReceivedEvent } from './received.ts';

/**
 * A bus whose publications and handlers are recorded as spans: the publication below the span of the request that caused the
 * event, the handlers below the publication, to which they link. An event carries the context of its publication, so that
 * the trace continues in other processes, and after a restart.
 *
 * @param system the name of the bus in OpenTelemetry's conventions
 */
export function traceBus(bus: Bus, system: 'nats' | 'in_process', tracing: Tracing): Bus {
  const descriptions = new Map<string, SpanDescription>();
  const describe = (
    kind: 'producer' | 'consumer',
    operation: 'publish' | 'process',
    type: string,
    durable?: string,
  ): SpanDescription => {
    const key = `${operation} ${type} ${durable}`;
    let description = descriptions.get(key);
    if (!description) {
      const attributes = {
        'messaging.system': system,
        'messaging.operation.name': operation,
        'messaging.operation.type': operation === 'publish' ? 'send' : operation,
        'messaging.destination.name': type,
        ...(durable === undefined ? {} : { 'messaging.consumer.group.name': durable }),
      };
      description = { name: `${operation} ${type}`, kind, attributes };
      descriptions.set(key, description);
    }
    return description;
  };
  return withOverrides<Bus>(bus, {
    async publish(event) {
      const { type, traceparent } = event;
      const span = tracing.follow(describe('producer', 'publish', type), { traceparent });
      if (!span) return tracing.detach(() => bus.publish(event));
      const traced = { ...event, traceparent: span.context.traceparent };
      return span.run(() => endWith(span, () => bus.publish(traced)));
    },
    subscribe<F extends Fact>(options: SubscribeOptions<F>) {
      const { durable, handler } = options;
      return bus.subscribe<F>({
        ...options,
        handler(event) {
          const { type, traceparent, deliveryCount } = event as ReceivedEvent;
          const description = describe('consumer', 'process', type, durable);
          const span = tracing.follow(description, { traceparent }, { link: true });
          if (!span) return tracing.detach(() => handler(event));
          span.set({ 'steward.delivery_count': deliveryCount });
          const traced = { ...event, traceparent: span.context.traceparent };
          return span.run(() => endWith(span, () => handler(traced)));
        },
      });
    },
  });
}
