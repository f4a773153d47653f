import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useCan } from '../../api/use-can.ts';
import type { Operation } from '../../client/operation.ts';
import { OrderDialog, type OrderDialogProps } from './order-dialog.tsx';

interface OrderButtonProps<O extends Operation> extends Omit<OrderDialogProps<O>, 'opened' | 'onClose'> {
  /** Scopes that fields of the order require in addition. */
  readonly furtherScopes?: readonly string[] | undefined;
  /** The text of the button; the title of the dialog when unset. */
  readonly text?: string | undefined;
  readonly button?: ButtonProps | undefined;
  /** Called when the dialog closes, with or without an order: to forget what was typed. */
  readonly onClosed?: (() => void) | undefined;
}

/** A button that asks for an order in a dialog. Absent if the user may not give it. */
export function OrderButton<O extends Operation>(props: OrderButtonProps<O>) {
  const { furtherScopes = [], text, button, onClosed, ...dialog } = props;
  const can = useCan();
  const [opened, { open, close }] = useDisclosure();
  if (!can(dialog.operation, ...furtherScopes)) return null;
  return (
    <>
      <Button
        size="xs"
        variant={dialog.danger ? 'outline' : 'default'}
        color={dialog.danger ? 'red' : undefined}
        {...button}
        data-operation={dialog.operation}
        onClick={open}
      >
        {text ?? dialog.title}
      </Button>
      <OrderDialog
        {...(dialog as OrderDialogProps<O>)}
        opened={opened}
        onClose={() => {
          close();
          onClosed?.();
        }}
      />
    </>
  );
}
