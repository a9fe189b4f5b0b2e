/**
 * Product pictures, public as on a CDN: the same URL always returns the same picture, validated by
 * its digest.
 */
import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../api/errors.ts'

/** The PNG at a decoded path below `/media/`, such as `covers/prd_1.png`; null if there is none. */
export type Pictures = (path: string) => Uint8Array | null

export function registerPictures(app: FastifyInstance, pictures: Pictures): void {
  app.get<{ Params: { '*': string } }>(
    '/media/*',
    { config: { zone: 'public' } },
    (request, reply) => {
      const picture = pictures(request.params['*'])
      if (picture === null) throw new ApiError('NOT_FOUND')
      const etag = `"${hash('sha256', picture).slice(0, 32)}"`
      reply
        .header('etag', etag)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.header('content-type', 'image/png').send(Buffer.from(picture))
    },
  )
}
