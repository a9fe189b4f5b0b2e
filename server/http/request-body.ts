/** Bodies: JSON in UTF-8, up to 16 MiB; anything else is VALIDATION_ERROR (Decision 9). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { validationError } from '../api/errors.ts'
import { headerValues } from './credentials.ts'

export const BODY_LIMIT = 16 * 1024 * 1024

const jsonType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i
const decoder = new TextDecoder('utf-8', { fatal: true })

const notJson = () => validationError({ field: 'body', message: 'must be JSON in UTF-8' })

function checkType(request: FastifyRequest): void {
  const types = headerValues(request.raw.rawHeaders, 'content-type')
  if (types.length > 1) throw validationError({ field: 'Content-Type', message: 'must be given once' })
  if (!jsonType.test(types[0] ?? '')) throw validationError({ field: 'Content-Type', message: 'must be application/json' })
}

/** The value of a body, undefined for an empty one. Throws VALIDATION_ERROR. */
function parseBody(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  checkType(request)
  try {
    const parsed: unknown = JSON.parse(decoder.decode(bytes))
    return parsed
  } catch {
    throw notJson()
  }
}

/** One parser for whatever type a request claims: what is not JSON is refused by our own rule, not by the framework's. */
export function registerBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (request: FastifyRequest, bytes: Buffer, done) => {
    try {
      done(null, parseBody(request, bytes))
    } catch (error) {
      done(error instanceof Error ? error : notJson(), undefined)
    }
  })
}
