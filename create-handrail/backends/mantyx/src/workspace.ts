/** The slug of your workspace at Mantyx. */
export const WORKSPACE = 'acme';
