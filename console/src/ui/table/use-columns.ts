import { useLocalStorage } from '@mantine/hooks';
import type { Column } from './column.ts';

/** Which columns a table shows, as the user chose. */
export interface ColumnChoice {
  readonly isShown: (id: string) => boolean;
  readonly setShown: (id: string, shown: boolean) => void;
  readonly reset: () => void;
}

/** The choice of columns of a table, kept in this browser under the name of the table. */
export function useColumns<Row>(table: string, columns: readonly Column<Row>[]): ColumnChoice {
  const [chosen, setChosen, clear] = useLocalStorage<Readonly<Record<string, boolean>>>({
    key: `steward.columns.${table}`,
    defaultValue: {},
  });
  return {
    isShown: (id) => id === columns[0]?.id || (chosen[id] ?? !columns.find((each) => each.id === id)?.hidden),
    setShown: (id, shown) => setChosen((before) => ({ ...before, [id]: shown })),
    reset: clear,
  };
}
