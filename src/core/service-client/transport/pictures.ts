import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { pictureType } from '../../picture-type.ts'
import { isLoopback, isPublic } from './addresses.ts'

const { request: httpRequest } = process.getBuiltinModule('node:http')
const { request: httpsRequest } = process.getBuiltinModule('node:https')

/** The largest picture, in bytes. */
const maxBytes = 2 * 1024 * 1024
const timeoutMs = 15_000

/**
 * Connects only to public addresses, whatever a name resolves to. Plain http is allowed for
 * loopback addresses only (the sandbox).
 */
const guardedLookup =
  (allowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const fit = addresses?.filter(({ address }) => allowed(address)) ?? []
      const first = fit[0]
      if (error !== null) return callback(error, [])
      if (first === undefined) return callback(new Error('not a public address'), [])
      if (options.all === true) callback(null, fit)
      else callback(null, first.address, first.family)
    })
  }

/**
 * Fetches a picture without credentials and without following redirects. Null when it is
 * unavailable or isn't a picture. A picture on this computer is fetched only from the account's own
 * service there.
 *
 * @param ownOrigin the origin of the account's service; null if it has none
 */
export async function fetchPicture(
  url: string,
  ownOrigin: string | null,
  signal: AbortSignal,
): Promise<{ contentType: string; bytes: Buffer } | null> {
  const address = URL.canParse(url) ? new URL(url) : null
  if (address === null || (address.protocol !== 'https:' && address.protocol !== 'http:'))
    return null
  const secure = address.protocol === 'https:'
  if (!secure && address.origin !== ownOrigin) return null
  const allowed = secure ? isPublic : isLoopback
  const host = address.hostname.replace(/^\[|\]$/g, '')
  if (/^[\d.]+$|:/.test(host) && !allowed(host)) return null
  const bytes = await download(
    address,
    secure,
    guardedLookup(allowed),
    AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  ).catch(() => null)
  const contentType = bytes === null ? null : pictureType(bytes)
  return bytes === null || contentType === null ? null : { contentType, bytes }
}

function download(
  address: URL,
  secure: boolean,
  guarded: LookupFunction,
  signal: AbortSignal,
): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)(
      address,
      { lookup: guarded, signal, headers: { accept: 'image/*' } },
      (response) => {
        if (
          response.statusCode !== 200 ||
          Number(response.headers['content-length'] ?? 0) > maxBytes
        ) {
          response.destroy()
          return resolve(null)
        }
        const parts: Buffer[] = []
        let size = 0
        response.on('data', (part: Buffer) => {
          size += part.length
          if (size > maxBytes) {
            response.destroy()
            return resolve(null)
          }
          parts.push(part)
        })
        response.on('end', () => resolve(Buffer.concat(parts)))
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end()
  })
}
