import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** Proxies as the environment names them; a `NO_PROXY` among them is obeyed. */
export type ProxyVariables = { HTTP_PROXY?: string; HTTPS_PROXY?: string; NO_PROXY?: string }

/** How this machine reaches others: what its administrator set up for all programs. */
export interface Network {
  /** The proxies to use for an address of another machine; null: go there directly. */
  proxyFor(url: string): Promise<ProxyVariables | null>
  /**
   * Called before each connection that is secured: trusts whom the machine trusts. Gives a number
   * that changes whenever that is somebody else.
   */
  trust(): number
}

/**
 * Certificate authorities of the machine's own store beside those that Node brings and
 * `NODE_EXTRA_CA_CERTS` names. For every connection of this process.
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
 * A network by a rule for its proxies. A system's store that can't be read leaves Node's own
 * authorities.
 */
export const networkBy = (proxyFor: Network['proxyFor']): Network => ({
  proxyFor,
  trust: once(() => {
    try {
      trustSystemAuthorities()
    } catch {
      // Connections are still checked, by fewer authorities.
    }
  }),
})

/**
 * The network as `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` tell, in either case; `ALL_PROXY` where
 * one is not named.
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
  return networkBy(async () => (http === '' && https === '' ? null : found))
}

/**
 * What a browser engine found for an address (`PROXY host:port; DIRECT`), as variables. The first
 * entry that is a proxy for HTTP, or `DIRECT`, counts; SOCKS proxies are passed over.
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
