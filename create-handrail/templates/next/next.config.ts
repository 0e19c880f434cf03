import type { NextConfig } from 'next';

const config: NextConfig = {
  cacheComponents: true,
  partialPrefetching: true,
  // PGlite finds its WebAssembly beside its own files, so it must stay a package.
  serverExternalPackages: ['@electric-sql/pglite'],
};

export default config;
