import { Badge, Button, Group, Modal, Progress, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { refreshAfter } from '../../api/refresh-after.ts';
import type { Operation, Params } from '../../client/operation.ts';
import { ErrorDetails } from '../errors/error-details.tsx';
import { useExplanation } from '../errors/use-explanation.ts';
import { isConfirmed } from '../input/is-confirmed.ts';
import { Consequences, ReasonField, TypedConfirmation } from './order-fields.tsx';
import { type OrderResult, runOrders } from './run-orders.ts';

interface BulkDialogProps<O extends Operation> {
  readonly opened: boolean;
  /** `sent`: whether orders were sent before. */
  readonly onClose: (sent: boolean) => void;
  readonly operation: O;
  /** The name of the order, such as "Lock". */
  readonly title: string;
  readonly consequences: readonly string[];
  readonly danger?: boolean | undefined;
  readonly typeToConfirm?: string | undefined;
  /** The ids of what the order concerns. */
  readonly ids: readonly string[];
  /** The parameters of the order for one of them. */
  readonly paramsOf: (id: string) => Params<O>;
  readonly children?: ReactNode;
}

const COLOURS = {
  waiting: 'gray',
  running: 'blue',
  done: 'green',
  refused: 'red',
  unknown: 'orange',
  skipped: 'gray',
} as const;

/** Gives the same order for several objects, one after the other, with the result of each. */
export function BulkDialog<O extends Operation>(props: BulkDialogProps<O>) {
  const { opened, onClose, title, ids } = props;
  const { t } = useTranslation();
  const [running, setRunning] = useState(false);
  const [sent, setSent] = useState(false);
  const close = () => {
    onClose(sent);
    setSent(false);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('bulk.title', { order: title, count: ids.length })}
      size="xl"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('order.close') }}
      closeOnEscape={!running}
      withCloseButton={!running}
    >
      {opened && (
        <BulkOrder
          {...props}
          onClose={close}
          onRunning={(next) => {
            setRunning(next);
            setSent(true);
          }}
        />
      )}
    </Modal>
  );
}

function BulkOrder<O extends Operation>(
  props: Omit<BulkDialogProps<O>, 'onClose'> & {
    readonly onClose: () => void;
    readonly onRunning: (running: boolean) => void;
  },
) {
  const { operation, title, consequences, danger, typeToConfirm, ids: selected, paramsOf, children } = props;
  const { t } = useTranslation();
  const queries = useQueryClient();
  const explain = useExplanation();
  // The selection of the table may change while the orders are sent.
  const [ids] = useState(selected);
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const [results, setResults] = useState<readonly OrderResult[]>();
  const [running, setRunning] = useState(false);
  const abort = useRef<AbortController>(undefined);
  const count = (...states: readonly string[]) =>
    results?.filter(({ state }) => states.includes(state)).length ?? 0;
  const done = count('done');
  const refused = count('refused', 'unknown');

  async function start() {
    const controller = new AbortController();
    abort.current = controller;
    const change = (next: boolean) => {
      setRunning(next);
      props.onRunning(next);
    };
    change(true);
    setResults(ids.map(() => ({ state: 'waiting' })));
    const options = reason.trim() === '' ? {} : { reason: reason.trim() };
    await runOrders(
      ids,
      (id) => call(operation, paramsOf(id), options),
      (index, result) => setResults((before) => before?.map((each, at) => (at === index ? result : each))),
      controller.signal,
    );
    change(false);
    await refreshAfter(queries, operation);
  }

  if (results === undefined) {
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <Stack>
          <Consequences consequences={consequences} danger={danger === true} />
          {children}
          {typeToConfirm !== undefined && (
            <TypedConfirmation text={typeToConfirm} value={typed} onChange={setTyped} />
          )}
          <ReasonField value={reason} onChange={setReason} />
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              {t('order.cancel')}
            </Button>
            <Button
              type="submit"
              color={danger ? 'red' : undefined}
              disabled={!isConfirmed(typed, typeToConfirm)}
            >
              {title}
            </Button>
          </Group>
        </Stack>
      </form>
    );
  }
  return (
    <Stack>
      <Progress value={((done + refused) / ids.length) * 100} aria-label={title} />
      <Text role="status">{t('bulk.summary', { done, refused, left: ids.length - done - refused })}</Text>
      <ScrollArea.Autosize mah="50vh" viewportProps={{ tabIndex: 0 }}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('bulk.item')}</Table.Th>
              <Table.Th>{t('bulk.result')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {ids.map((id, index) => {
              const result = results[index] ?? { state: 'waiting' };
              return (
                <Table.Tr key={id}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    <bdi>{id}</bdi>
                  </Table.Td>
                  <Table.Td>
                    <Badge color={COLOURS[result.state]} variant="outline" tt="none">
                      {t(`bulk.${result.state}`)}
                    </Badge>{' '}
                    {'error' in result && (
                      <>
                        <Text span size="sm">
                          {[explain(result.error, 'order'), messageOf(result.error)]
                            .filter(Boolean)
                            .join(' ')}
                        </Text>
                        <ErrorDetails error={result.error} />
                      </>
                    )}
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      <Group justify="flex-end">
        {running ? (
          <Button variant="default" onClick={() => abort.current?.abort()}>
            {t('bulk.stop')}
          </Button>
        ) : (
          <Button onClick={props.onClose}>{t('order.close')}</Button>
        )}
      </Group>
    </Stack>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
