import { Button, Code, CopyButton as Copy, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';

interface SecretDialogProps {
  readonly title: string;
  /** Where the secret belongs, and that it is shown once. */
  readonly hint: string;
  /** The secrets; undefined while the dialog is closed. */
  readonly secrets: readonly string[] | undefined;
  readonly onClose: () => void;
}

function CopyAll({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  return (
    <Copy value={text}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy}>
          {copied ? t('copy.copied') : t('copy.copy_all')}
        </Button>
      )}
    </Copy>
  );
}

/** Shows secrets that cannot be read again. They are gone from the page when the dialog is closed. */
export function SecretDialog({ title, hint, secrets, onClose }: SecretDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={secrets !== undefined}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('order.close') }}
      // A key that is pressed by mistake must not lose them.
      closeOnEscape={false}
      size="lg"
    >
      <Stack>
        <Text>{hint}</Text>
        {secrets?.map((secret) => (
          <Group key={secret} gap="xs" wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
            <CopyButton text={secret} />
          </Group>
        ))}
        <Group justify="flex-end">
          {secrets !== undefined && secrets.length > 1 && <CopyAll text={secrets.join('\n')} />}
          <Button onClick={onClose}>{t('order.close')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
