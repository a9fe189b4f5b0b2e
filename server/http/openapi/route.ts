/** `GET /v1/openapi.json`, public. */
import type { FastifyInstance } from 'fastify'
import { jsonContent } from '../refusals.ts'

/**
 * Registers the route. The document is built on the first request, so that it doesn't slow the
 * service's start.
 */
export function registerDocument(app: FastifyInstance, origin: () => string): void {
  let text: Promise<string> | undefined
  app.get('/v1/openapi.json', { config: { zone: 'public' } }, async (_request, reply) => {
    text ??= import('./document.ts').then(({ openApiDocument }) =>
      JSON.stringify(openApiDocument(origin())),
    )
    return reply.header('content-type', jsonContent).send(await text)
  })
}
