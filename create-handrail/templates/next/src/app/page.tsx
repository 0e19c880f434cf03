export { ChatPage as default } from '../page/chat-page.tsx';
