/**
 * Which interface a path belongs to: it decides who is asked for before anything else, known route
 * or not.
 */
import { type Api, apiRoots } from '../api/endpoint.ts'

/**
 * `public` needs no key: health, the OpenAPI document, cover pictures, and whatever is below no
 * interface.
 */
export type Zone = Api | 'public'

/** Seller before partner: its root lies within the other's. */
const roots: readonly (readonly [Api, string])[] = [
  ['seller', apiRoots.seller],
  ['partner', apiRoots.partner],
  ['dashboard', apiRoots.dashboard],
]

/** The zone of a request target that no route matched. */
export function zoneOf(target: string): Zone {
  const path = target.replace(/[?#].*$/s, '')
  return roots.find(([, root]) => path === root || path.startsWith(`${root}/`))?.[0] ?? 'public'
}
