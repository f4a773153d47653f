import type { ComponentProps } from 'react';
import type { Operation } from '../../../client/operation.ts';
import { OrderButton } from '../../../ui/order/order-button.tsx';
import { useAuthority } from './use-authority.ts';

type AccountOrderButtonProps<O extends Operation> = ComponentProps<typeof OrderButton<O>> & {
  readonly userId: string;
};

/** A button for an order that changes an account: disabled if the account has scopes that the reader lacks. */
export function AccountOrderButton<O extends Operation>(props: AccountOrderButtonProps<O>) {
  const { userId, button, ...rest } = props;
  const { permitted } = useAuthority(userId);
  const order = rest as unknown as ComponentProps<typeof OrderButton<O>>;
  return (
    <OrderButton<O> {...order} button={{ ...button, disabled: !permitted || button?.disabled === true }} />
  );
}
