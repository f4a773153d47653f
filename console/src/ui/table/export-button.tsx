import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { itemsOf, pagesOf } from '../../api/call.ts';
import type { Answer, Item, PagedOperation, Params } from '../../client/operation.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { saveFile } from '../save-file.ts';
import type { Column } from './column.ts';
import { csvOf } from './csv.ts';

interface ExportButtonProps<O extends PagedOperation, Row> {
  /** The name of the file, without the time and the ending. */
  readonly name: string;
  readonly operation: O;
  readonly params: Params<O>;
  readonly columns: readonly Column<Row>[];
  /** The rows of a page; its items when unset. */
  readonly rowsOf?: ((page: Answer<O>) => readonly Row[]) | undefined;
}

/** The rows of a request, and of a part of the file. */
const PAGE_ROWS = 1_000;

/** Saves all rows of a list that match, not only those that are loaded, as CSV. A second click ends it. */
export function ExportButton<O extends PagedOperation, Row = Item<O>>({
  name,
  operation,
  params,
  columns,
  rowsOf,
}: ExportButtonProps<O, Row>) {
  const { t } = useTranslation();
  const format = useFormat();
  const [done, setDone] = useState<number>();
  const abort = useRef<AbortController>(undefined);

  async function save() {
    const exported = columns.filter(({ csv }) => csv !== undefined);
    const controller = new AbortController();
    abort.current = controller;
    const parts = [csvOf([exported.map(({ id }) => id)])];
    let rows: unknown[][] = [];
    let count = 0;
    setDone(0);
    try {
      const request = { ...params, limit: PAGE_ROWS } as Params<O>;
      const options = { signal: controller.signal };
      const items =
        rowsOf === undefined
          ? itemsOf(operation, request, options)
          : rowsIn(pagesOf(operation, request, options), rowsOf);
      for await (const item of items) {
        rows.push(exported.map(({ csv }) => csv?.(item as Row)));
        if (++count % PAGE_ROWS !== 0) continue;
        parts.push(csvOf(rows));
        rows = [];
        setDone(count);
      }
      parts.push(csvOf(rows));
      saveFile(`${name}-${new Date().toISOString().slice(0, 10)}.csv`, parts, 'text/csv');
    } catch (error) {
      if (!controller.signal.aborted) notifications.show({ color: 'red', message: (error as Error).message });
    } finally {
      setDone(undefined);
    }
  }

  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Download size={16} aria-hidden />}
      onClick={() => (done === undefined ? void save() : abort.current?.abort())}
    >
      {done === undefined ? t('table.export') : t('table.exporting', { done: format.number(done) })}
    </Button>
  );
}

async function* rowsIn<Page, Row>(pages: AsyncIterable<Page>, rowsOf: (page: Page) => readonly Row[]) {
  for await (const page of pages) yield* rowsOf(page);
}
