import type { IncomingMessage } from 'node:http'

/** Why a request is rejected before any other processing; null when it is allowed. */
export type Rejection = { status: 403 | 405; reason: string } | null

/**
 * The browser host's gate. It requires the exact Host on every request (which rejects foreign names
 * that resolve to loopback), the exact Origin on the upgrade and on everything but GET and HEAD,
 * and `none` or `same-origin` in `Sec-Fetch-Site` if it is sent.
 */
export function gate(
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  origin: string,
  isUpgrade: boolean,
): Rejection {
  const { host, origin: from, 'sec-fetch-site': site } = request.headers
  if (host !== new URL(origin).host) return { status: 403, reason: 'Wrong host' }
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (!reads && request.method !== 'POST') return { status: 405, reason: 'Method not allowed' }
  if (isUpgrade || !reads) {
    if (from !== origin) return { status: 403, reason: 'Wrong origin' }
  } else if (from !== undefined && from !== origin) return { status: 403, reason: 'Wrong origin' }
  if (site !== undefined && site !== 'none' && site !== 'same-origin')
    return { status: 403, reason: 'Wrong site' }
  return null
}
