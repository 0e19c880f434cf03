/** What tells about responses that are not as they should be: most are. */
export const loadErrors = () => import('./http-error.ts');
