/**
 * Descriptions of the APIs, public: the OpenAPI documents `/v1/openapi.json` and
 * `/dashboard/openapi.json`, and requests to send, `/v1/requests.http` and `/v1/postman.json`.
 */
import type { FastifyInstance } from 'fastify'
import { jsonContent } from '../refusals.ts'

/**
 * Registers the routes. A document is built on the first request, so that it doesn't slow the
 * service's start.
 */
export function registerDocuments(app: FastifyInstance, origin: () => string): void {
  const json = (build: () => Promise<object>) => ({
    type: jsonContent,
    build: async () => JSON.stringify(await build()),
  })
  const collections = () => import('../collections/collections.ts')
  const documents = {
    '/v1/openapi.json': json(async () => (await import('./document.ts')).openApiDocument(origin())),
    '/dashboard/openapi.json': json(async () =>
      (await import('./dashboard-document.ts')).dashboardDocument(origin()),
    ),
    '/v1/postman.json': json(async () => (await collections()).postmanCollection(origin())),
    '/v1/requests.http': {
      type: 'text/plain; charset=utf-8',
      build: async () => (await collections()).httpFile(origin()),
    },
  }
  for (const [path, { type, build }] of Object.entries(documents)) {
    let text: Promise<string> | undefined
    app.get(path, { config: { zone: 'public' } }, async (_request, reply) => {
      text ??= build()
      return reply.header('content-type', type).send(await text)
    })
  }
}
