import {
  Button,
  Group,
  MultiSelect,
  NumberInput,
  Pill,
  Popover,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { ListFilter, Search as SearchIcon } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import { cleanText } from '../input/clean-text.ts';
import type { Filter, Search } from './filter.ts';

interface FilterBarProps {
  /** The first one, a text, is always in sight; the others are behind a button. */
  readonly filters: readonly Filter[];
  readonly search: Search;
  /** Receives what changes of the search; undefined removes a filter. */
  readonly onChange: (change: Search) => void;
  /** Further controls of the table, such as the choice of columns. */
  readonly children?: ReactNode;
}

/** How long typing pauses before the list is asked, in milliseconds. */
const TYPING_MS = 100;

/** The filters of a list. */
export function FilterBar({ filters, search, onChange, children }: FilterBarProps) {
  const { t } = useTranslation();
  const [opened, { toggle, close }] = useDisclosure();
  const wordsOf = useWordsOf();
  const [main, ...others] = filters;
  const active = others.filter(({ id }) => search[id] !== undefined);
  if (main === undefined) return null;
  return (
    <Stack gap="xs" mb="sm">
      <Group gap="xs" align="flex-end">
        <TypedFilter filter={main} search={search} onChange={onChange} main />
        {others.length > 0 && (
          <Popover
            opened={opened}
            onChange={close}
            position="bottom-start"
            trapFocus
            withinPortal
            returnFocus
          >
            <Popover.Target>
              <Button
                size="xs"
                variant="default"
                leftSection={<ListFilter size={16} aria-hidden />}
                onClick={toggle}
              >
                {active.length === 0
                  ? t('table.filters')
                  : t('table.filters_active', { count: active.length })}
              </Button>
            </Popover.Target>
            <Popover.Dropdown maw="min(640px, 95vw)" mah="70vh" style={{ overflowY: 'auto' }}>
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
                {others.map((filter) => (
                  <FilterField key={filter.id} filter={filter} search={search} onChange={onChange} />
                ))}
              </SimpleGrid>
            </Popover.Dropdown>
          </Popover>
        )}
        {children}
      </Group>
      {active.length > 0 && (
        <Pill.Group>
          {active.map((filter) => (
            <Pill
              key={filter.id}
              withRemoveButton
              removeButtonProps={{
                'aria-label': `${t('table.clear_filters')}: ${filter.label}`,
                'aria-hidden': false,
                tabIndex: 0,
              }}
              onRemove={() => onChange({ [filter.id]: undefined })}
            >
              {filter.label}: {wordsOf(filter, search[filter.id])}
            </Pill>
          ))}
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => onChange(Object.fromEntries(filters.map(({ id }) => [id, undefined])))}
          >
            {t('table.clear_filters')}
          </Button>
        </Pill.Group>
      )}
    </Stack>
  );
}

/** Returns how the value of a filter is written. */
function useWordsOf(): (filter: Filter, value: Search[string]) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ kind, options }, value) => {
    if (kind === 'flag') return value === 'true' ? t('table.yes') : t('table.no');
    if (kind === 'time') return format.dateTime(Date.parse(String(value)));
    const labelOf = (each: string) => options?.find((option) => option.value === each)?.label ?? each;
    return [value ?? []].flat().map(labelOf).join(', ');
  };
}

interface FilterFieldProps {
  readonly filter: Filter;
  readonly search: Search;
  readonly onChange: (change: Search) => void;
  readonly main?: boolean;
}

function FilterField({ filter, search, onChange }: FilterFieldProps) {
  const { t } = useTranslation();
  const { id, label, kind, options = [] } = filter;
  const value = search[id];
  switch (kind) {
    case 'flag':
      return (
        <Select
          label={label}
          data={[
            { value: 'true', label: t('table.yes') },
            { value: 'false', label: t('table.no') },
          ]}
          placeholder={t('table.any')}
          value={(value as string | undefined) ?? null}
          onChange={(next) => onChange({ [id]: next ?? undefined })}
          clearable
          comboboxProps={{ withinPortal: false }}
        />
      );
    case 'choice':
      return (
        <Select
          label={label}
          data={[...options]}
          placeholder={t('table.any')}
          value={(value as string | undefined) ?? null}
          onChange={(next) => onChange({ [id]: next ?? undefined })}
          clearable
          searchable
          comboboxProps={{ withinPortal: false }}
        />
      );
    case 'choices':
      return (
        <MultiSelect
          label={label}
          data={[...options]}
          placeholder={value === undefined ? t('table.any') : ''}
          value={[...((value as readonly string[] | undefined) ?? [])]}
          onChange={(next) => onChange({ [id]: next.length === 0 ? undefined : next })}
          clearable
          comboboxProps={{ withinPortal: false }}
        />
      );
    case 'time':
      return (
        <TextInput
          label={label}
          type="datetime-local"
          value={(value as string | undefined) ?? ''}
          onChange={(event) => onChange({ [id]: event.currentTarget.value || undefined })}
        />
      );
    default:
      return <TypedFilter filter={filter} search={search} onChange={onChange} />;
  }
}

/** A filter that is typed: the list is asked when typing pauses. */
function TypedFilter({ filter, search, onChange, main = false }: FilterFieldProps) {
  const { id, label, kind, placeholder } = filter;
  const given = (search[id] as string | undefined) ?? '';
  const [text, setText] = useState(given);
  // A link, the button "back" or a saved view changes the search as well.
  useEffect(() => setText(given), [given]);
  const ask = useDebouncedCallback(
    (next: string) => onChange({ [id]: cleanText(next) || undefined }),
    TYPING_MS,
  );
  const change = (next: string) => {
    setText(next);
    ask(next);
  };
  if (kind === 'number') {
    return (
      <NumberInput
        label={label}
        value={text}
        min={0}
        allowDecimal={false}
        onChange={(next) => change(String(next))}
      />
    );
  }
  return (
    <TextInput
      label={main ? undefined : label}
      aria-label={main ? label : undefined}
      placeholder={placeholder ?? (main ? label : undefined)}
      leftSection={main ? <SearchIcon size={16} aria-hidden /> : undefined}
      type={main ? 'search' : 'text'}
      size={main ? 'xs' : 'sm'}
      className={main ? 'filter-main' : undefined}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      spellCheck={false}
      autoComplete="off"
    />
  );
}
