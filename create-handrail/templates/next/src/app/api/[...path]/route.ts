export { handleRequest as GET, handleRequest as POST } from '../../../agent/handle-request.ts';
