import { File, FileAudio, FileImage, FileText, FileVideo, type LucideIcon } from 'lucide-react';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  image: FileImage,
  video: FileVideo,
  audio: FileAudio,
  text: FileText,
};

interface MediaIconProps {
  /** The MIME type; undefined when it is not known. */
  readonly type: string | undefined;
  readonly size: number;
}

/** An icon for what a medium is by its type. */
export function MediaIcon({ type = '', size }: MediaIconProps) {
  const Icon = ICONS[type.split('/')[0]?.toLowerCase() ?? ''] ?? File;
  return <Icon size={size} aria-hidden />;
}
