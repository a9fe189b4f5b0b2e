/**
 * The docs page at `/docs`. Its renderer comes from a package and is served from here, so that the
 * page works without a network.
 */
import { hash } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { docsScript, docsStyle } from './docs-page-files.ts'

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<div id="reference"></div>
<p class="waiting">Loading the reference …</p>
<noscript><p class="waiting">This page needs JavaScript. The document itself is at
<a href="/v1/openapi.json">/v1/openapi.json</a>.</p></noscript>
<script src="/docs/renderer.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 18 18">
<rect width="18" height="18" rx="4.5" fill="#3858D6"/>
<circle cx="6.55" cy="9" r="2.625" fill="none" stroke="#FFF" stroke-width="1.55"/>
<path d="M9.6 8.25h5.2v1.55h-1.5v1.8h-1.7v-1.8h-2z" fill="#FFF"/></svg>
`

/**
 * The page loads nothing from other hosts and can't be framed. The renderer needs inline styles for
 * its layout; inline scripts are refused.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
}

/**
 * The renderer's script. Its package is loaded on the first request, so that it doesn't slow the
 * service's start. The package serves the script through its own plugin, on a separate application.
 */
async function rendererScript(): Promise<string> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const host = fastify()
  await host.register(reference, {
    routePrefix: '/docs',
    configuration: { url: '/v1/openapi.json' },
  })
  const { body } = await host.inject('/docs/js/scalar.js')
  await host.close()
  return body
}

type File = { readonly type: string; readonly text: string; readonly etag: string }

const fileOf = (type: string, text: string): File => ({
  type,
  text,
  etag: `"${hash('sha256', text).slice(0, 32)}"`,
})

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, text, etag }: File,
): FastifyReply {
  reply.headers({ ...pageHeaders, etag })
  return request.headers['if-none-match'] === etag
    ? reply.code(304).send()
    : reply.header('content-type', `${type}; charset=utf-8`).send(text)
}

/** Registers `/docs` with its files, and `/`, which leads there. They need no key. */
export function registerDocsPage(app: FastifyInstance): void {
  const small: Readonly<Record<string, File>> = {
    '/docs': fileOf('text/html', html),
    '/docs/': fileOf('text/html', html),
    '/docs/start.js': fileOf('text/javascript', docsScript),
    '/docs/style.css': fileOf('text/css', docsStyle),
    '/docs/icon.svg': fileOf('image/svg+xml', icon),
  }
  for (const [path, file] of Object.entries(small))
    app.get(path, { config: { zone: 'public' } }, (request, reply) => send(request, reply, file))

  app.get('/', { config: { zone: 'public' } }, (_request, reply) => reply.redirect('/docs', 302))

  let renderer: Promise<File> | undefined
  app.get('/docs/renderer.js', { config: { zone: 'public' } }, async (request, reply) => {
    renderer ??= rendererScript().then((text) => fileOf('text/javascript', text))
    return send(request, reply, await renderer)
  })
}
