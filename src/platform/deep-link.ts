/**
 * A place in the console that a link from outside opens, and the account for it; null: the current
 * account.
 */
export type Place = { path: string; accountId: string | null }

/** A record's ID in the format of the service and of Keydesk. */
const id = '[A-Za-z0-9._~-]{1,100}'
/** Pages and records that a link can open. Opening one only shows it. */
const places = [
  ...['key-history', 'keys', 'balance', 'webhooks', 'activity'].map((page) => `/${page}`),
  '/settings',
  '/settings/(?:secrets|security)',
  ...[
    'import',
    'offers',
    'batches',
    'disputes',
    'sales',
    'catalogue',
    'outbox',
    'orders',
    'claims',
    'watch',
  ].flatMap((page) => [`/${page}`, `/${page}/${id}`]),
  '/sandbox',
  '/sandbox/(?:control|requests|certificate|worlds|accounts|products|claims|ledger)',
]
/** Page addresses in links that version 0.1 created. */
const formerPaths: ReadonlyMap<string, string> = new Map([['/life-line', '/key-history']])
const known = new RegExp(`^(?:${places.join('|')})$`)
const accountIds = /^[A-Za-z0-9-]{1,64}$/
/** Longer than any link that Keydesk creates. */
const maxLength = 400

/** Whether a link from outside can open this path of the console. */
export const isPlace = (path: string): boolean =>
  known.test(path) && !path.split('/').some((part) => part === '.' || part === '..')

/**
 * Parses `keydesk://open/offers/off_1`, with `?account=ID` for a specific account. Returns null for
 * everything else: another scheme or host, credentials, a port, a fragment, other parameters,
 * encoded characters, an unknown page, or an address that starts something (a new order) instead of
 * showing it.
 */
export function placeOfLink(link: string): Place | null {
  if (link.length > maxLength) return null
  const parts = /^keydesk:\/\/open(\/[A-Za-z0-9._~/-]*?)\/?(?:\?account=([A-Za-z0-9-]+))?$/.exec(
    link,
  )
  if (parts === null) return null
  const [, asked = '', accountId = null] = parts
  const path = formerPaths.get(asked) ?? asked
  if (
    !isPlace(path) ||
    path === '/orders/new' ||
    (accountId !== null && !accountIds.test(accountId))
  )
    return null
  return { path, accountId }
}

/** The place of a link among a start's arguments; null without a valid link. */
export function placeOfArguments(given: readonly string[]): Place | null {
  const link = given.findLast((argument) => argument.startsWith('keydesk:'))
  return link === undefined ? null : placeOfLink(link)
}

/** The fragment of a page's address that opens a place; empty for none. */
export const fragmentOf = (place: Place | null): string =>
  place === null
    ? ''
    : `#/open${place.path}${place.accountId === null ? '' : `?account=${place.accountId}`}`
