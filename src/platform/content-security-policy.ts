/**
 * The content security policy of the screen, the same in both hosts: only our own files run, only
 * the connection to the core is allowed, and nothing can frame the page. Inline styles are allowed
 * because the component library writes them; inline scripts never are.
 *
 * @param connect origins that the screen can connect to besides itself: the browser host's
 * WebSocket
 */
export function contentSecurityPolicy(connect: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    ['connect-src', connect.length === 0 ? "'none'" : connect.join(' ')].join(' '),
    // The screen has no worker. Without this, a script could register a service worker.
    "worker-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    // A text becomes markup only through the screen's own policy (trusted-types.ts).
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
}
