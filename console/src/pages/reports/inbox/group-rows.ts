import type { RowSource } from '../../../api/row-source.ts';
import type { Selection } from '../../../ui/table/use-selection.ts';
import type { InboxRow } from './inbox-row.ts';

/** Rows of which each stands for all that are loaded about one user. */
export interface GroupedRows {
  readonly rows: RowSource<InboxRow>;
  /** The ids of the rows for which one stands. */
  readonly idsOf: (id: string) => readonly string[];
}

/** Puts the cases about a user into the place of the first one of them. */
export function groupRows(source: RowSource<InboxRow>): GroupedRows {
  const firsts: InboxRow[] = [];
  const groups = new Map<string, string[]>();
  const byUser = new Map<string, string[]>();
  let loaded = 0;
  for (let index = 0; index < source.count; index++) {
    const row = source.at(index);
    if (row === undefined) continue;
    loaded += 1;
    const known = row.user_id === null ? undefined : byUser.get(row.user_id);
    if (known !== undefined) {
      known.push(row.id);
      continue;
    }
    const ids = [row.id];
    if (row.user_id !== null) byUser.set(row.user_id, ids);
    groups.set(row.id, ids);
    firsts.push(row);
  }
  // What is not loaded yet keeps one row, which asks for it.
  const count = firsts.length + source.count - loaded;
  return {
    rows: {
      ...source,
      count,
      at: (index) => firsts[index],
      show: (first, last) => source.show(first, last >= firsts.length - 1 ? source.count - 1 : last),
    },
    idsOf: (id) => groups.get(id) ?? [id],
  };
}

/** Selects the rows for which a row stands together with it. */
export function groupSelection(selection: Selection, idsOf: GroupedRows['idsOf']): Selection {
  return {
    ...selection,
    has: (id) => idsOf(id).every(selection.has),
    set: (ids, selected) => selection.set(ids.flatMap(idsOf), selected),
  };
}
