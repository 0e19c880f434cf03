import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import 'handrail/styles.css';
import '../page/page.css';

export const metadata: Metadata = { title: 'Shop', icons: 'data:,' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
