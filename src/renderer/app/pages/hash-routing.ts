import { useSyncExternalStore } from 'react'

/**
 * The current place is stored in the URL fragment so that the desktop and browser hosts can serve
 * the same page: `#/orders/ord_1`, `#/import?offer=off_1`.
 */
export function splitFragment(hash: string): { path: string; search: string } {
  const place = hash.replace(/^#/, '')
  const [path = '', search = ''] = place.split(/\?(.*)/s)
  return { path: path === '' ? '/' : path, search }
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

/**
 * Navigates before the next event is handled: a change of `location.hash` is reported only after key
 * presses that are already queued, which would then act on the page that is being left.
 */
function go(to: string, options: { replace?: boolean } = {}): void {
  if (options.replace === true) history.replaceState(history.state, '', `#${to}`)
  else if (location.hash === `#${to}`) return
  else history.pushState(null, '', `#${to}`)
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}

/** The router's location hook: the current path and a function to navigate. */
function useHashPath(): [string, typeof go] {
  return [useSyncExternalStore(subscribe, () => splitFragment(location.hash).path), go]
}

/** The router's search hook: the text after `?`. */
function useHashSearch(): string {
  return useSyncExternalStore(subscribe, () => splitFragment(location.hash).search)
}

/** Router options that store the place in the URL fragment. */
export const hashRouting = {
  hook: useHashPath,
  searchHook: useHashSearch,
  hrefs: (href: string): string => `#${href}`,
}
