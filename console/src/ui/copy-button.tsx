import { ActionIcon, CopyButton as Copy, Tooltip } from '@mantine/core';
import { Check, Copy as CopyIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';

/** Copies a text to the clipboard. */
export function CopyButton({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  return (
    <Copy value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('copy.copied') : t('copy.copy')}>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            onClick={copy}
            aria-label={copied ? t('copy.copied') : `${t('copy.copy')}: ${text}`}
          >
            {copied ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  );
}
