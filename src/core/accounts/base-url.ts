import { failure } from '../failure.ts'
import { isLoopbackHost } from '../service-client/service-client.ts'

/**
 * The service's address as the client needs it, ending with `/v1` (Partner API: `{base_url}` ends
 * with the version segment). Spaces, a slash at the end and a pasted `/seller` are tidied, a
 * missing scheme and `/v1` are added. Throws Failure `INVALID_INPUT`.
 */
export function normaliseBaseUrl(typed: string): string {
  const text = typed.trim()
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `${isLoopbackHost(hostOf(`http://${text}`)) ? 'http' : 'https'}://${text}`
  if (!URL.canParse(withScheme))
    throw wrong('This is not an address. It looks like https://api.example.com/v1.')
  const url = new URL(withScheme)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw wrong('The address begins with https://.')
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    throw wrong(
      'Use https://. Plain http would send the key readable for everybody on the way; it is taken for this machine’s own addresses only.',
    )
  if (url.username !== '' || url.password !== '')
    throw wrong('Leave the name and password out of the address.')
  if (url.search !== '' || url.hash !== '') throw wrong('Leave out what follows ? or #.')
  const path = url.pathname.replace(/\/+$/, '').replace(/(\/v1)\/seller$/, '$1')
  const version = /\/v(\d+)$/.exec(path)?.[1]
  if (version !== undefined && version !== '1')
    throw wrong(`Keydesk speaks version 1 of the service; this address ends with v${version}.`)
  return `${url.origin}${version === undefined ? `${path}/v1` : path}`
}

const hostOf = (text: string): string => (URL.canParse(text) ? new URL(text).hostname : '')

const wrong = (message: string) =>
  failure('INVALID_INPUT', 'The base address can’t be used.', message, {
    effect: 'Nothing was sent.',
    fields: [{ field: 'baseUrl', message }],
  })
