import { useEffect, useLayoutEffect } from 'react';

/** An effect that nobody sees a moment too late. A server paints nothing, and React 18 warns about layout effects there. */
export const useBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect;
