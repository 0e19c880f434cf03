'use client';

import type { ReactNode } from 'react';
import type { PartRendererProps } from '../components/transcript/transcript-renderers.ts';
import type { TextPart } from '../core/state/message.ts';
import { Markdown } from './markdown.tsx';

/**
 * The renderer `text` of a `Transcript` for markdown: `renderers={{ text: MarkdownText }}`. Text of the person stays plain,
 * because the person does not expect a star to start a list.
 */
export function MarkdownText({ part, role, children }: PartRendererProps<TextPart>): ReactNode {
  return role === 'user' ? children : <Markdown text={part.text} />;
}
