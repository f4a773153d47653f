import { Box, Loader, VisuallyHidden } from '@mantine/core';
import { Spotlight, type SpotlightStore, useSpotlight } from '@mantine/spotlight';
import { Search } from 'lucide-react';
import { useId, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../ui/errors/error-notice.tsx';
import type { EntryGroup } from './entry.ts';
import { Line } from './line.tsx';
import type { PageEntry } from './page-entry.ts';
import { useFound } from './use-found.ts';
import { useOpenTarget } from './use-open-target.ts';

/** Longer than any id. */
const MAX_LENGTH = 300;

interface FinderProps {
  readonly store: SpotlightStore;
  readonly pages: readonly PageEntry[];
  readonly onClose: () => void;
}

/** The field of the palette, and what is found: a combobox to readers of the screen. */
export function Finder({ store, pages, onClose }: FinderProps) {
  const { t } = useTranslation();
  const { query } = useSpotlight(store);
  const { groups, searching, error } = useFound(query, pages);
  const list = useId();
  const entries = groups.flatMap((group) => group.entries);
  const optionId = (index: number) => `${list}-${index}`;
  const [selected, follow] = useSelected(store, `${query} ${entries.map(({ key }) => key).join(' ')}`);
  const nothing = entries.length === 0 && !searching && error === null;
  return (
    <>
      <Spotlight.Search
        placeholder={t('palette.placeholder')}
        maxLength={MAX_LENGTH}
        autoComplete="off"
        spellCheck={false}
        leftSection={<Search size={18} aria-hidden />}
        rightSection={searching ? <Loader size={16} aria-hidden /> : undefined}
        onKeyDown={follow}
        role="combobox"
        aria-label={t('palette.title')}
        aria-autocomplete="list"
        aria-expanded={entries.length > 0}
        aria-controls={entries.length > 0 ? list : undefined}
        aria-activedescendant={entries[selected] === undefined ? undefined : optionId(selected)}
      />
      {entries.length > 0 && (
        <Spotlight.ActionsList>
          <div id={list} role="listbox" aria-label={t('palette.results')}>
            <Groups groups={groups} selected={selected} optionId={optionId} onClose={onClose} />
          </div>
        </Spotlight.ActionsList>
      )}
      {error !== null && (
        <Box p="md">
          <ErrorNotice error={error} />
        </Box>
      )}
      {nothing && <Spotlight.Empty>{t('palette.nothing')}</Spotlight.Empty>}
      <VisuallyHidden role="status">
        {searching && t('state.loading')}
        {nothing && t('palette.nothing')}
        {!searching && entries.length > 0 && t('palette.found', { count: entries.length })}
      </VisuallyHidden>
    </>
  );
}

/**
 * The place of the selected line: the first one whenever the text or the lines are others. The store selects by keys without
 * telling who follows it, so that what is returned has to be called at each of them.
 */
function useSelected(store: SpotlightStore, shown: string): readonly [number, () => void] {
  const [selected, setSelected] = useState(0);
  useLayoutEffect(() => {
    store.updateState((state) => ({ ...state, selected: 0 }));
    setSelected(0);
  }, [store, shown]);
  const follow = () => queueMicrotask(() => setSelected(store.getState().selected));
  return [selected, follow];
}

interface GroupsProps extends Pick<FinderProps, 'onClose'> {
  readonly groups: readonly EntryGroup[];
  readonly selected: number;
  readonly optionId: (index: number) => string;
}

function Groups({ groups, selected, optionId, onClose }: GroupsProps) {
  const open = useOpenTarget();
  let next = 0;
  return groups.map(({ label, entries }) => (
    <Spotlight.ActionsGroup key={label} label={label} role="group" aria-label={label}>
      {entries.map((entry) => {
        const index = next++;
        return (
          <Line
            key={entry.key}
            id={optionId(index)}
            entry={entry}
            selected={index === selected}
            onOpen={() => {
              onClose();
              void open(entry.target);
            }}
          />
        );
      })}
    </Spotlight.ActionsGroup>
  ));
}
