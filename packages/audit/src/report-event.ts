import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { eventTypeOf, type PayloadValues } from '@steward/feed';

/** What a handler knows of the event that its call makes. */
export interface ReportedEvent {
  readonly type: string;
  readonly values: PayloadValues;
  /** Further targets of the call. */
  readonly targets: readonly string[];
}

export const reportedEventKey = createContextKey<ReportedEvent | undefined>(undefined, {
  description: 'the event of the feed that the call makes',
});

/**
 * States which event the current call makes, of those that its method declares, and values of the payload that neither the request nor
 * the answer contains. The last report counts. A call that fails makes none.
 *
 * @param targets further targets of the call, which neither the request nor the answer names
 */
export function reportEvent<Desc extends DescMessage>(
  context: Pick<HandlerContext, 'values'>,
  payload: Desc,
  data: MessageInitShape<Desc>,
  targets: readonly string[] = [],
): void {
  const { type } = eventTypeOf(payload);
  context.values.set(reportedEventKey, { type, values: data as PayloadValues, targets });
}
