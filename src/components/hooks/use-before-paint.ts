import { useEffect, useLayoutEffect } from 'react';

/** A layout effect in the browser. On a server, where React 18 warns about layout effects, a plain effect, which never runs. */
export const useBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect;
