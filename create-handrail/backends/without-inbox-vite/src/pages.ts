import type { ComponentType } from 'react';
import { ChatPage } from './page/chat-page.tsx';

/** The pages by their address. */
export const pages: Readonly<Record<string, ComponentType>> = { '/': ChatPage };
