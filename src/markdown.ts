export { Markdown, type MarkdownProps } from './markdown/markdown.tsx';
export { MarkdownText } from './markdown/markdown-text.tsx';
