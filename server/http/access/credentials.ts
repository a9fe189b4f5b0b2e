/**
 * Reads the credential of a request from its headers (Partner API "Authentication" 1, Decision 8).
 */
import { ApiError } from '../../api/errors.ts'

/** All values of a header as sent; Node's own properties join or drop repeated ones. */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const header = rawHeaders[index]
    const value = rawHeaders[index + 1]
    if (value !== undefined && header?.length === name.length && header.toLowerCase() === name)
      values.push(value)
  }
  return values
}

const bearer = (value: string): string | undefined => /^Bearer +(\S+) *$/i.exec(value)?.[1]

/**
 * Returns the single key that a request presents: `Authorization: Bearer` everywhere, and
 * `X-Api-Key` on the Partner API only, as documented. Throws UNAUTHORIZED if there is none, if one
 * is malformed, or if several differ.
 */
export function credentialOf(rawHeaders: readonly string[], acceptsApiKey: boolean): string {
  const keys = [
    ...headerValues(rawHeaders, 'authorization').map(bearer),
    ...headerValues(rawHeaders, 'x-api-key').map((value) => value.trim()),
  ]
  const [first] = keys
  if (first === undefined || first === '' || keys.some((key) => key !== first))
    throw new ApiError('UNAUTHORIZED')
  if (!acceptsApiKey && headerValues(rawHeaders, 'authorization').length === 0)
    throw new ApiError('UNAUTHORIZED')
  return first
}
