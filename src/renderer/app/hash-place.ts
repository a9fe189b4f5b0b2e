import { useSyncExternalStore } from 'react'

/**
 * The place in the console is the address's fragment, so that both hosts serve one page:
 * `#/orders/ord_1`, `#/import?offer=off_1`.
 */
export function splitPlace(hash: string): { path: string; search: string } {
  const place = hash.replace(/^#/, '')
  const [path = '', search = ''] = place.split(/\?(.*)/s)
  return { path: path === '' ? '/' : path, search }
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

function go(to: string, options: { replace?: boolean } = {}): void {
  if (options.replace === true) {
    history.replaceState(history.state, '', `#${to}`)
    window.dispatchEvent(new HashChangeEvent('hashchange'))
  } else if (location.hash !== `#${to}`) location.hash = to
}

/** The router's hook: path and how to go elsewhere. */
function useHashPath(): [string, typeof go] {
  return [useSyncExternalStore(subscribe, () => splitPlace(location.hash).path), go]
}

/** The router's hook for what stands after `?`. */
function useHashSearch(): string {
  return useSyncExternalStore(subscribe, () => splitPlace(location.hash).search)
}

/** What the router needs to keep the place in the fragment. */
export const hashPlace = {
  hook: useHashPath,
  searchHook: useHashSearch,
  hrefs: (href: string): string => `#${href}`,
}
