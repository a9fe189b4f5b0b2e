/** The OpenAPI documents, public: `/v1/openapi.json` and `/dashboard/openapi.json`. */
import type { FastifyInstance } from 'fastify'
import { jsonContent } from '../refusals.ts'

/**
 * Registers the routes. A document is built on the first request, so that it doesn't slow the
 * service's start.
 */
export function registerDocuments(app: FastifyInstance, origin: () => string): void {
  const documents: Readonly<Record<string, () => Promise<object>>> = {
    '/v1/openapi.json': async () => (await import('./document.ts')).openApiDocument(origin()),
    '/dashboard/openapi.json': async () =>
      (await import('./dashboard-document.ts')).dashboardDocument(origin()),
  }
  for (const [path, build] of Object.entries(documents)) {
    let text: Promise<string> | undefined
    app.get(path, { config: { zone: 'public' } }, async (_request, reply) => {
      text ??= build().then((document) => JSON.stringify(document))
      return reply.header('content-type', jsonContent).send(await text)
    })
  }
}
