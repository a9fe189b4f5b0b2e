/**
 * The content security policy of the screen, the same in both hosts: only our own files run,
 * nothing is fetched but the line to the core, nothing frames us. Styles may stand inline because
 * the component library writes them so; scripts never.
 *
 * @param connect origins the screen may connect to besides itself: the browser host's WebSocket.
 */
export function contentSecurityPolicy(connect: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    ['connect-src', connect.length === 0 ? "'none'" : connect.join(' ')].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}
