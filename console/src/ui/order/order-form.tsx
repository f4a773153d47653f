import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Order } from '../../api/use-order.ts';
import type { Answer, Operation, Params } from '../../client/operation.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { isConfirmed } from '../input/is-confirmed.ts';
import { Consequences, ReasonField, TypedConfirmation } from './order-fields.tsx';

/** What an order needs from its user before it is sent. */
export interface OrderFormProps<O extends Operation> {
  readonly order: Order<O>;
  /** The parameters; undefined while a field is missing or wrong. */
  readonly params: Params<O> | undefined;
  /** What the order does, each consequence a sentence. Shown before it can be sent. */
  readonly consequences: readonly string[];
  /** The text of the button that sends it. */
  readonly label: string;
  /** Whether it removes something or takes something from a user. */
  readonly danger?: boolean | undefined;
  /** What the user must type before: for what cannot be taken back. */
  readonly typeToConfirm?: string | undefined;
  /** Where the reason goes: to the audit log, also into the parameter `reason` of the order, or nowhere: then it is not asked for. */
  readonly reasonAs?: 'audit' | 'parameter' | 'none' | undefined;
  /** Further headers, such as a precondition. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What an error means for this order, where that is known better than in general. */
  readonly explain?: ((error: Error) => string | undefined) | undefined;
  /** The fields of the order. */
  readonly children?: ReactNode;
  readonly onCancel: () => void;
  readonly onDone: (answer: Answer<O>) => void;
}

/**
 * Shows the consequences of an order, and sends it. After an order without an answer it can be sent again, and is carried out once.
 */
export function OrderForm<O extends Operation>(props: OrderFormProps<O>) {
  const {
    order,
    params,
    consequences,
    label,
    danger = false,
    typeToConfirm,
    reasonAs = 'audit',
    headers,
    explain,
    children,
    onCancel,
    onDone,
  } = props;
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const confirmed = isConfirmed(typed, typeToConfirm);
  const ready = params !== undefined && confirmed && !order.pending;

  const { reset } = order;
  const precondition = JSON.stringify(headers);
  // What was refused before says nothing about an order with another precondition.
  useEffect(() => reset(), [precondition]);

  async function submit() {
    if (!ready || params === undefined) return;
    const given = reason.trim() || undefined;
    const all = reasonAs === 'parameter' && given !== undefined ? { ...params, reason: given } : params;
    try {
      onDone(await order.send(all, given, headers));
    } catch {
      // The form shows it.
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap="md">
        <Consequences consequences={consequences} danger={danger} />
        {children}
        {typeToConfirm !== undefined && (
          <TypedConfirmation text={typeToConfirm} value={typed} onChange={setTyped} />
        )}
        {reasonAs !== 'none' && (
          // Keys that open such an order are followed by its reason.
          <ReasonField value={reason} onChange={setReason} first={reasonAs === 'parameter'} />
        )}
        {order.error !== null && (
          <ErrorNotice error={order.error} of="order" explanation={explain?.(order.error)} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {order.error === null ? t('order.cancel') : t('order.close')}
          </Button>
          <Button type="submit" color={danger ? 'red' : undefined} disabled={!ready} loading={order.pending}>
            {label}
          </Button>
        </Group>
        <Text role="status" className="visually-hidden">
          {order.pending ? t('order.pending') : ''}
        </Text>
      </Stack>
    </form>
  );
}
