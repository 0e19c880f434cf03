'use client';

import type { ReactNode } from 'react';
import type { PartRendererProps } from '../components/transcript/transcript-renderers.ts';
import type { TextPart } from '../state/message.ts';
import { Markdown } from './markdown.tsx';

/**
 * For the slot `text` of a `Transcript`: what the agent writes as markdown. What the person wrote stays as it was
 * written, because nobody told them that a star makes a list.
 */
export function MarkdownText({ part, role, children }: PartRendererProps<TextPart>): ReactNode {
  return role === 'user' ? children : <Markdown text={part.text} />;
}
