/** The conversation on the home page of the site. It is a page of its own in a frame, so that its dialog leaves the site usable. */
import { createRoot } from 'react-dom/client';
import 'handrail/styles.css';
import { followTheme } from './follow-theme.ts';
import { Live } from './live.tsx';

followTheme();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root".');
createRoot(root).render(<Live />);
