/** Cover pictures of products: drawn once for a product and name, immutable below an address that the drawing's digest validates. */
import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../api/errors.ts'

/** Draws a product's cover as PNG; null for a product that isn't there. */
export type Covers = (productId: string) => Uint8Array | null

/** `GET /media/covers/{productId}.png`, open to anyone like a CDN's pictures. */
export function registerCovers(app: FastifyInstance, covers: Covers): void {
  app.get<{ Params: { productId: string } }>('/media/covers/:productId.png', { config: { zone: 'public' } }, (request, reply) => {
    const picture = covers(request.params.productId)
    if (picture === null) throw new ApiError('NOT_FOUND')
    const etag = `"${hash('sha256', picture).slice(0, 32)}"`
    reply.header('etag', etag).header('cache-control', 'public, max-age=31536000, immutable').header('x-content-type-options', 'nosniff')
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.header('content-type', 'image/png').send(Buffer.from(picture))
  })
}
