import { failure } from '../failure.ts'
import { isLoopbackHost } from '../service-client/service-client.ts'

/**
 * Normalizes the service's address for the client so that it ends with `/v1` (Partner API:
 * `{base_url}` ends with the version segment). Removes spaces, a trailing slash and a pasted
 * `/seller`, and adds a missing scheme and `/v1`. Throws Failure `INVALID_INPUT`.
 */
export function normalizeBaseUrl(typed: string): string {
  const text = typed.trim()
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `${isLoopbackHost(hostOf(`http://${text}`)) ? 'http' : 'https'}://${text}`
  if (!URL.canParse(withScheme))
    throw wrong('This isn’t an address. Enter one like https://api.example.com/v1.')
  const url = new URL(withScheme)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw wrong('The address must start with https://.')
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    throw wrong(
      'Use https://. With plain http, anyone on the network could read the key. ' +
        'Only addresses of this computer can use it.',
    )
  if (url.username !== '' || url.password !== '')
    throw wrong('Remove the name and password from the address.')
  if (url.search !== '' || url.hash !== '') throw wrong('Remove everything from ? or # on.')
  let path = url.pathname
  while (path.endsWith('/')) path = path.slice(0, -1)
  path = path.replace(/(\/v1)\/seller$/, '$1')
  const version = /\/v(\d+)$/.exec(path)?.[1]
  if (version !== undefined && version !== '1')
    throw wrong(`Keydesk supports version 1 of the service; this address ends with v${version}.`)
  return `${url.origin}${version === undefined ? `${path}/v1` : path}`
}

const hostOf = (text: string): string => (URL.canParse(text) ? new URL(text).hostname : '')

const wrong = (message: string) =>
  failure('INVALID_INPUT', 'The base address can’t be used.', message, {
    effect: 'Nothing was sent.',
    fields: [{ field: 'baseUrl', message }],
  })
