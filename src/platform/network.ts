import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** Proxies in the form of environment variables, including `NO_PROXY`. */
export type ProxyVariables = { HTTP_PROXY?: string; HTTPS_PROXY?: string; NO_PROXY?: string }

/** How this computer reaches others, as its administrator configured it for all programs. */
export interface Network {
  /** The proxies to use for an address on another computer; null for a direct connection. */
  proxyFor(url: string): Promise<ProxyVariables | null>
  /**
   * Called before each TLS connection: trusts the authorities that the computer trusts. Returns a
   * number that changes whenever they do.
   */
  trust(): number
}

/**
 * Adds the authorities of the computer's own store to those of Node and `NODE_EXTRA_CA_CERTS`, for
 * every connection of this process.
 */
export function trustSystemAuthorities(
  ofSystem: () => readonly string[] = () => getCACertificates('system'),
): void {
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...ofSystem()])])
}

const once = (task: () => void): (() => number) => {
  let done = false
  return () => {
    if (!done) {
      done = true
      task()
    }
    return 0
  }
}

/**
 * A network with a given rule for proxies. If the system's store can't be read, Node's own
 * authorities apply. From now on, this process and its workers check every certificate.
 */
export function createSystemNetwork(proxyFor: Network['proxyFor']): Network {
  // Some install guides recommend this variable: anyone on the way could read API keys.
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  return {
    proxyFor,
    trust: once(() => {
      try {
        trustSystemAuthorities()
      } catch {
        // Connections are still verified, with fewer authorities.
      }
    }),
  }
}

/**
 * The network settings in `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in upper or lower case, with
 * `ALL_PROXY` as the fallback.
 */
export function environmentNetwork(env: NodeJS.ProcessEnv): Network {
  const named = (name: string): string => env[name.toLowerCase()] ?? env[name] ?? ''
  const all = named('ALL_PROXY')
  const http = named('HTTP_PROXY') || all
  const https = named('HTTPS_PROXY') || all
  const found: ProxyVariables = {
    ...(http !== '' && { HTTP_PROXY: http }),
    ...(https !== '' && { HTTPS_PROXY: https }),
    ...(named('NO_PROXY') !== '' && { NO_PROXY: named('NO_PROXY') }),
  }
  return createSystemNetwork(async () => (http === '' && https === '' ? null : found))
}

/**
 * Converts a browser engine's proxy rules (`PROXY host:port; DIRECT`) to variables. The first HTTP
 * proxy or `DIRECT` entry counts; SOCKS proxies are skipped.
 */
export function proxyOfRules(rules: string): ProxyVariables | null {
  for (const rule of rules.split(';')) {
    const [kind = '', place] = rule.trim().split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') return null
    const scheme = ({ PROXY: 'http', HTTP: 'http', HTTPS: 'https' } as const)[kind.toUpperCase()]
    if (scheme !== undefined && place !== undefined)
      return { HTTP_PROXY: `${scheme}://${place}`, HTTPS_PROXY: `${scheme}://${place}` }
  }
  return null
}
