import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import 'handrail/styles.css';
import './page/page.css';
import { pages } from './pages.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root".');
const Page = pages[location.pathname] ?? pages['/'];
createRoot(root).render(<StrictMode>{Page && <Page />}</StrictMode>);
