import { Code, Group, ScrollArea } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

interface JsonViewProps {
  /** A name for readers of the screen. */
  readonly label: string;
  readonly value: unknown;
  readonly maxHeight?: string;
}

/** An object as the server has it. */
export function JsonView({ label, value, maxHeight = '60vh' }: JsonViewProps) {
  const text = JSON.stringify(value, null, 2) ?? '';
  return (
    <Group align="flex-start" wrap="nowrap" gap="xs">
      <ScrollArea.Autosize
        mah={maxHeight}
        style={{ flex: 1, minWidth: 0 }}
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
      >
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {text}
        </Code>
      </ScrollArea.Autosize>
      <CopyButton text={text} />
    </Group>
  );
}
