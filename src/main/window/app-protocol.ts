import { contentSecurityPolicy } from '../../platform/content-security-policy.ts'
import type { RendererFile } from '../../platform/renderer-files.ts'

/**
 * Serves `app://keydesk/…` from the built screen's files in memory. Everything else is not found.
 */
export function createAppProtocol(
  files: ReadonlyMap<string, RendererFile>,
): (request: Request) => Response {
  return (request) => {
    const url = new URL(request.url)
    const file =
      url.host === 'keydesk' && request.method === 'GET'
        ? files.get(url.pathname === '/' ? '/index.html' : url.pathname)
        : undefined
    const headers = {
      'Content-Security-Policy': contentSecurityPolicy(),
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    }
    if (file === undefined)
      return new Response('Not found', {
        status: 404,
        headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' },
      })
    return new Response(new Uint8Array(file.bytes), {
      headers: { ...headers, 'Content-Type': file.contentType },
    })
  }
}
