/**
 * A place in the console that somebody outside asked for, and for which of its accounts; null: the
 * one in front.
 */
export type Place = { path: string; accountId: string | null }

/** A record's id as the service and this console make them. */
const id = '[A-Za-z0-9._~-]{1,100}'
/** Pages and the records that a link may open. Opening one only shows it. */
const places = [
  ...['key-history', 'keys', 'balance', 'webhooks', 'activity', 'settings', 'settings/secrets'].map(
    (page) => `/${page}`,
  ),
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
  '/sandbox/(?:control|accounts|products|claims|ledger)',
]
/** The addresses that pages had in links made by version 0.1. */
const formerPaths: ReadonlyMap<string, string> = new Map([['/life-line', '/key-history']])
const known = new RegExp(`^(?:${places.join('|')})$`)
const accountIds = /^[A-Za-z0-9-]{1,64}$/
/** Longer than any link of ours. */
const longest = 400

/** Whether a path of the console is one that may be shown because somebody outside asked for it. */
export const isPlace = (path: string): boolean =>
  known.test(path) && !path.split('/').some((part) => part === '.' || part === '..')

/**
 * Reads `keydesk://open/offers/off_1`, with `?account=ID` where it is for one account. Everything
 * else is null: another scheme or host, credentials, a port, a fragment, other parameters, encoded
 * characters, an unknown page, an address that begins something (a new order) instead of showing
 * it.
 */
export function placeOfLink(link: string): Place | null {
  if (link.length > longest) return null
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

/** The link that a start was given among its arguments; null without one that leads anywhere. */
export function placeOfArguments(given: readonly string[]): Place | null {
  const link = given.findLast((argument) => argument.startsWith('keydesk:'))
  return link === undefined ? null : placeOfLink(link)
}
