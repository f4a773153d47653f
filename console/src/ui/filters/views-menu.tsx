import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { Bookmark, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Search } from './filter.ts';

interface ViewsMenuProps {
  /** The name of the page. */
  readonly page: string;
  readonly search: Search;
  /** Replaces the whole search. */
  readonly onOpen: (search: Search) => void;
}

/** Saves the filters and the order of a list under a name, in this browser, and opens them again. */
export function ViewsMenu({ page, search, onOpen }: ViewsMenuProps) {
  const { t } = useTranslation();
  const [opened, { toggle, close }] = useDisclosure();
  const [name, setName] = useState('');
  const [views, setViews] = useLocalStorage<Readonly<Record<string, Search>>>({
    key: `steward.views.${page}`,
    defaultValue: {},
  });
  return (
    <Popover opened={opened} onChange={close} trapFocus returnFocus position="bottom-end">
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<Bookmark size={16} aria-hidden />} onClick={toggle}>
          {t('table.views')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {Object.keys(views).length === 0 && <Text size="sm">{t('table.no_views')}</Text>}
          {Object.entries(views).map(([each, saved]) => (
            <Group key={each} justify="space-between" wrap="nowrap">
              <Button
                variant="subtle"
                size="xs"
                onClick={() => {
                  onOpen(saved);
                  close();
                }}
              >
                {each}
              </Button>
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={t('table.delete_view', { name: each })}
                onClick={() =>
                  setViews((before) =>
                    Object.fromEntries(Object.entries(before).filter(([key]) => key !== each)),
                  )
                }
              >
                <Trash2 size={16} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (name.trim() === '') return;
              setViews((before) => ({ ...before, [name.trim()]: search }));
              setName('');
            }}
          >
            <Group align="flex-end" gap="xs" wrap="nowrap">
              <TextInput
                size="xs"
                label={t('table.view_name')}
                value={name}
                maxLength={60}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <Button type="submit" size="xs" disabled={name.trim() === ''}>
                {t('table.save_view')}
              </Button>
            </Group>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
