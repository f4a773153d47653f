import type { DescMethodUnary } from '@bufbuild/protobuf';
import { createContextKey, type HandlerContext } from '@connectrpc/connect';

/** The method that a call plans, of which every check sees the call; undefined for a call that is carried out. */
export const plannedKey = createContextKey<DescMethodUnary | undefined>(undefined, {
  description: 'the method that is planned and not carried out',
});

/** The method that a call plans and does not carry out. */
export function plannedMethod({ values }: Pick<HandlerContext, 'values'>): DescMethodUnary | undefined {
  return values.get(plannedKey);
}
