import { useCallback, useMemo, useState } from 'react';

/** Rows that were selected together: all that matched in a list. */
interface WholeList {
  /** As `RowSource.list` has it. */
  readonly list: string | undefined;
  readonly count: number;
}

/** Which rows of a table are selected, by their ids; also those that are out of sight. */
export interface Selection {
  readonly size: number;
  readonly ids: readonly string[];
  /** The list of which all rows that matched were selected, until one of them is not any more. */
  readonly whole: WholeList | undefined;
  readonly has: (id: string) => boolean;
  readonly set: (ids: readonly string[], selected: boolean) => void;
  /** Selects all rows of a list, of which most may not be loaded. */
  readonly setWhole: (list: string | undefined, ids: readonly string[]) => void;
  readonly clear: () => void;
}

interface Chosen {
  readonly ids: ReadonlySet<string>;
  readonly whole: WholeList | undefined;
}

const NOTHING: Chosen = { ids: new Set(), whole: undefined };

/** Keeps which rows are selected. */
export function useSelection(): Selection {
  const [{ ids, whole }, setChosen] = useState(NOTHING);
  // The same functions for ever, so that a change re-renders only the rows that it concerns.
  const set = useCallback((changed: readonly string[], selected: boolean) => {
    setChosen((before) => {
      const next = new Set(before.ids);
      for (const id of changed) {
        if (selected) next.add(id);
        else next.delete(id);
      }
      return { ids: next, whole: selected ? before.whole : undefined };
    });
  }, []);
  const setWhole = useCallback((list: string | undefined, all: readonly string[]) => {
    setChosen((before) => ({ ids: new Set([...before.ids, ...all]), whole: { list, count: all.length } }));
  }, []);
  const clear = useCallback(() => setChosen(NOTHING), []);
  return useMemo(
    () => ({ size: ids.size, ids: [...ids], whole, has: (id) => ids.has(id), set, setWhole, clear }),
    [ids, whole, set, setWhole, clear],
  );
}
