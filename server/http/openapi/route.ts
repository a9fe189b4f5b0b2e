/** `GET /v1/openapi.json`, open to anyone. */
import type { FastifyInstance } from 'fastify'
import { jsonContent } from '../refusals.ts'

/**
 * Registers the route. The document is loaded and written when it is first asked for: nobody's
 * start waits for it.
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
