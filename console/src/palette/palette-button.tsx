import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useHotkeys, useOs } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { Search } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageEntry } from './page-entry.ts';

const MODAL = '[role="dialog"][aria-modal="true"]';

/** Opens the palette, also by a key; loads it when it is first opened. */
export function PaletteButton({ pages }: { readonly pages: readonly PageEntry[] }) {
  const { t } = useTranslation();
  const os = useOs();
  const [Palette, setPalette] = useState<ComponentType<{ readonly pages: readonly PageEntry[] }>>();
  const open = async () => {
    // What waits for an answer is not left by a key.
    if (document.querySelector(MODAL) !== null) return;
    try {
      const loaded = await import('./palette.tsx');
      setPalette(() => loaded.Palette);
      loaded.palette.open();
    } catch {
      notifications.show({ color: 'red', message: t('palette.failed') });
    }
  };
  // In fields, too: no tag is left out.
  useHotkeys([['mod+K', () => void open()]], [], true);
  return (
    <>
      <Button
        variant="default"
        size="sm"
        visibleFrom="sm"
        leftSection={<Search size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {os === 'macos' ? '⌘ K' : t('palette.key')}
          </Kbd>
        }
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => void open()}
      >
        {t('palette.open')}
      </Button>
      <ActionIcon
        variant="default"
        size="lg"
        hiddenFrom="sm"
        aria-label={t('palette.open')}
        onClick={() => void open()}
      >
        <Search size={18} aria-hidden />
      </ActionIcon>
      {Palette !== undefined && <Palette pages={pages} />}
    </>
  );
}
