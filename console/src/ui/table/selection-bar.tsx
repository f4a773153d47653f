import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowSource } from '../../api/row-source.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { loadedIds, selectedShare } from './selected-share.ts';
import type { Selection } from './use-selection.ts';

interface SelectionBarProps<Row> {
  readonly selection: Selection;
  /** The list that rows are selected of. */
  readonly rows: RowSource<Row>;
  readonly idOf: (row: Row) => string;
  /** The orders for what is selected. */
  readonly children: ReactNode;
}

/** More orders than these are given by filters, or by a program. */
const MAX_SELECTED = 10_000;

/** How many rows are selected of those that match, the offer to select them all, and what can be ordered. Absent while none is. */
export function SelectionBar<Row>({ selection, rows, idOf, children }: SelectionBarProps<Row>) {
  const { t } = useTranslation();
  const format = useFormat();
  if (selection.size === 0) return null;
  const { total } = rows;
  const share = selectedShare(rows, idOf, selection);
  const selected = t('bulk.selected', { count: selection.size, formatted: format.number(selection.size) });
  const matching =
    share === 'all'
      ? t('bulk.matching_all')
      : total === undefined
        ? ''
        : t('bulk.matching', { count: total, formatted: format.number(total) });
  return (
    <Group gap="xs" mb="xs" role="group" aria-label={selected}>
      <Text size="sm" fw={600} role="status">
        {[selected, matching].filter((part) => part !== '').join('; ')}
      </Text>
      {share === 'some' && <SelectWhole selection={selection} rows={rows} idOf={idOf} />}
      {children}
      <Button size="compact-sm" variant="subtle" onClick={selection.clear}>
        {t('bulk.clear')}
      </Button>
    </Group>
  );
}

/** The offer to select all rows that match, for which the others are loaded. A second click ends it. */
function SelectWhole<Row>({ selection, rows, idOf }: Omit<SelectionBarProps<Row>, 'children'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const [loaded, setLoaded] = useState<number>();
  const abort = useRef<AbortController>(undefined);
  const { list, total, readAll } = rows;
  // What another filter selects is not what was asked for.
  useEffect(() => () => abort.current?.abort(), [list]);

  async function select() {
    if (readAll === undefined) return selection.setWhole(list, loadedIds(rows, idOf));
    const controller = new AbortController();
    abort.current = controller;
    setLoaded(0);
    try {
      const ids = new Set<string>();
      for await (const page of readAll(controller.signal)) {
        for (const row of page) ids.add(idOf(row));
        if (ids.size > MAX_SELECTED) break;
        setLoaded(ids.size);
      }
      controller.signal.throwIfAborted();
      if (ids.size > MAX_SELECTED) notifications.show({ color: 'orange', message: tooMany });
      else selection.setWhole(list, [...ids]);
    } catch (error) {
      if (!controller.signal.aborted) notifications.show({ color: 'red', message: (error as Error).message });
    } finally {
      setLoaded(undefined);
    }
  }

  const tooMany = t('bulk.too_many', { most: format.number(MAX_SELECTED) });
  if (total !== undefined && total > MAX_SELECTED) return <Text size="sm">{tooMany}</Text>;
  const offer =
    total === undefined
      ? t('bulk.select_whole')
      : t('bulk.select_total', { count: total, formatted: format.number(total) });
  return (
    <Button
      size="compact-sm"
      variant="light"
      onClick={() => (loaded === undefined ? void select() : abort.current?.abort())}
    >
      {loaded === undefined ? offer : t('bulk.selecting', { done: format.number(loaded) })}
    </Button>
  );
}
