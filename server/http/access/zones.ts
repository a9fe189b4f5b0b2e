/**
 * Maps a path to its interface, which decides the key required before any other check, for known
 * and unknown routes.
 */
import { type Api, apiRoots } from '../../api/endpoints/endpoint.ts'

/**
 * `public` needs no key: health, the OpenAPI document, cover pictures, and all paths outside the
 * interfaces.
 */
export type Zone = Api | 'public'

/** Seller before partner, because the seller root is below the partner root. */
const roots: readonly (readonly [Api, string])[] = [
  ['seller', apiRoots.seller],
  ['partner', apiRoots.partner],
  ['dashboard', apiRoots.dashboard],
]

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const end = target.search(/[?#]/)
  return end < 0 ? target : target.slice(0, end)
}

/** The zone of a request target that no route matched. */
export function zoneOf(target: string): Zone {
  const path = pathOf(target)
  return roots.find(([, root]) => path === root || path.startsWith(`${root}/`))?.[0] ?? 'public'
}
