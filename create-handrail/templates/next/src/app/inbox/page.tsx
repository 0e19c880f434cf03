export { InboxPage as default } from '../../page/inbox-page.tsx';
