import type { IncomingMessage } from 'node:http'

/**
 * The origins of one start. Pages use `page`: its random name is new each time, so that nothing
 * that an earlier page left on the port, such as a service worker, belongs to it. Programs and
 * browsers that can't resolve the name use `entry`.
 */
export type Origins = {
  /** `http://127.0.0.1:N` */
  entry: string
  /** `http://<random>.localhost:N` */
  page: string
}

/** The origin of an allowed request, or why it is rejected before any other processing. */
export type Admission = { origin: string } | { status: 403 | 405; reason: string }

type Request = Pick<IncomingMessage, 'method' | 'headers' | 'url'>

/** Whether a browser sent it. Browsers don't let a page or a service worker change this header. */
export const isFromBrowser = ({ headers }: Pick<Request, 'headers'>): boolean =>
  headers['sec-fetch-site'] !== undefined

/** Whether a browser opens the address in a tab. */
export const opensTab = ({ method, headers }: Request): boolean =>
  method === 'GET' &&
  isFromBrowser({ headers }) &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document'

/**
 * The browser host's gate. It requires the exact Host on every request (which rejects foreign names
 * that resolve to loopback), the exact Origin on the upgrade and on everything but GET and HEAD,
 * and `none` or `same-origin` in `Sec-Fetch-Site` if it is sent. Only an address with a token can
 * also be opened from elsewhere, such as the file that opens the browser.
 */
export function gate(request: Request, origins: Origins, isUpgrade: boolean): Admission {
  const { host, origin: from, 'sec-fetch-site': site } = request.headers
  const origin = [origins.page, origins.entry].find((each) => host === new URL(each).host)
  if (origin === undefined)
    return {
      status: 403,
      reason:
        'This isn’t the current address of Keydesk. ' +
        'Start Keydesk again to open it, or press o in the terminal where it runs.',
    }
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (!reads && request.method !== 'POST') return { status: 405, reason: 'Method not allowed' }
  if (from === undefined ? isUpgrade || !reads : from !== origin)
    return { status: 403, reason: 'Wrong origin' }
  const opensAddress = opensTab(request) && request.url?.startsWith('/?token=') === true
  if (site !== undefined && site !== 'none' && site !== 'same-origin' && !opensAddress)
    return { status: 403, reason: 'Wrong site' }
  return { origin }
}
