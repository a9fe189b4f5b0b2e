import { X509Certificate } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { z } from 'zod'
import {
  type Authority,
  type NetworkState,
  type ProxyChoice,
  type RestoredNetwork,
  proxyChoiceSchema,
} from '../../contract/app/network.ts'
import { localized } from '../../contract/localization/localized.ts'
import type { Localized } from '../../contract/localization/localized.ts'
import type { Network } from '../../platform/network.ts'
import type { Clock } from '../clock.ts'
import type { ActivityLog } from '../context.ts'
import { failure } from '../failure.ts'
import type { SettingsStore } from '../settings/settings.ts'
import { localEntry } from '../local-entry.ts'

/** The names under which the network settings are stored. */
const PROXY = 'network proxy'
const AUTHORITIES = 'network authorities'
/** Where those of a restored backup wait until a person adopts them. */
const RESTORED = 'restored '

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
const invalid = (message: string) =>
  failure(
    'INVALID_INPUT',
    message,
    'Choose the certificate of the authority as PEM (-----BEGIN CERTIFICATE-----).',
    { effect: 'The list of trusted authorities is unchanged.' },
  )

function parsed<Kept>(schema: z.ZodType<Kept>, kept: string | null, otherwise: Kept): Kept {
  try {
    return schema.parse(JSON.parse(kept ?? ''))
  } catch {
    return otherwise
  }
}

function authorityOf(pem: string): Authority {
  const certificate = new X509Certificate(pem)
  const fields = certificate.subject.split('\n')
  const name = ['CN=', 'O=', 'OU=']
    .map((field) => fields.find((each) => each.startsWith(field))?.slice(field.length))
    .find((found) => found !== undefined)
  return {
    fingerprint: certificate.fingerprint256,
    name: name ?? 'Unnamed authority',
    validTo: certificate.validToDate.getTime(),
  }
}

/** The authority certificates in a PEM text. Throws `INVALID_INPUT` with the reason. */
function readAuthorities(text: string, now: number): string[] {
  const blocks = text.match(pemBlock) ?? []
  if (blocks.length === 0) throw invalid('This text contains no certificate.')
  return blocks.map((pem) => {
    let certificate: X509Certificate
    try {
      certificate = new X509Certificate(pem)
    } catch {
      throw invalid('One of these certificates can’t be read.')
    }
    if (!certificate.ca)
      throw invalid(`“${authorityOf(pem).name}” is a server’s certificate, not an authority’s.`)
    if (certificate.validToDate.getTime() < now)
      throw invalid(`“${authorityOf(pem).name}” has expired.`)
    return pem
  })
}

function proxyDetail(proxy: ProxyChoice): Localized {
  switch (proxy.use) {
    case 'system':
      return localized('network.proxy-of-system')
    case 'none':
      return localized('network.no-proxy')
    case 'own':
      return localized('network.own-proxy', { address: proxy.address })
  }
}
const authorityDetail = ({ name, fingerprint }: Authority): Localized =>
  localized('network.authority', { name, fingerprint })

/** The certificates of the restored backup that can still be read. */
const restoredAuthorities = (settings: Pick<SettingsStore, 'recall'>): string[] =>
  parsed(z.array(z.string()), settings.recall(RESTORED + AUTHORITIES), []).filter((pem) => {
    try {
      return new X509Certificate(pem).ca
    } catch {
      return false
    }
  })

/** The network settings of a restored backup that wait for a person; null for none. */
function restoredNetwork(settings: Pick<SettingsStore, 'recall'>): RestoredNetwork | null {
  const proxy = parsed<ProxyChoice | null>(
    proxyChoiceSchema.nullable(),
    settings.recall(RESTORED + PROXY),
    null,
  )
  const authorities = restoredAuthorities(settings).map(authorityOf)
  return proxy === null && authorities.length === 0 ? null : { proxy, authorities }
}

/**
 * Puts the network settings of restored data out of use until a person adopts them, because a
 * backup could redirect every connection. Returns them; null if there are none. Safe to repeat.
 */
export function quarantineNetwork(
  settings: Pick<SettingsStore, 'recall' | 'remember' | 'forget'>,
): RestoredNetwork | null {
  for (const name of [PROXY, AUTHORITIES]) {
    const value = settings.recall(name)
    if (value === null) continue
    if (value !== '{"use":"system"}' && value !== '[]') settings.remember(RESTORED + name, value)
    settings.forget(name)
  }
  return restoredNetwork(settings)
}

/**
 * The network settings of this computer, or those a person chose: another proxy or none, and
 * additional authorities. Changes apply to the next connection. Without `given`, connections are
 * direct and use Node's own authorities.
 */
export function createNetwork({
  given,
  settings,
  clock,
  activity,
}: {
  given: Network | undefined
  settings: Pick<SettingsStore, 'recall' | 'remember' | 'forget'>
  clock: Clock
  activity: ActivityLog
}) {
  const note = (what: Localized, detail: Localized): void =>
    activity.add(
      localEntry({
        accountId: null,
        what,
        detail,
      }),
    )
  let proxy = parsed<ProxyChoice>(proxyChoiceSchema, settings.recall(PROXY), { use: 'system' })
  let own = parsed(z.array(z.string()), settings.recall(AUTHORITIES), [])
  let systemAuthorities: readonly string[] | null = null
  /** Counts changes to the trusted authorities. */
  let revision = 0
  let trusted: number | null = null

  const network: Network = {
    async proxyFor(url) {
      if (proxy.use === 'none') return null
      if (proxy.use === 'own')
        return { HTTP_PROXY: proxy.address, HTTPS_PROXY: proxy.address, NO_PROXY: proxy.except }
      return (await given?.proxyFor(url)) ?? null
    },
    trust() {
      if (trusted !== revision) {
        given?.trust()
        systemAuthorities ??= getCACertificates('default')
        if (own.length > 0 || trusted !== null)
          setDefaultCACertificates([...systemAuthorities, ...own])
        trusted = revision
      }
      return revision
    },
  }
  const state = (): NetworkState => ({
    proxy,
    authorities: own.map(authorityOf),
    restored: restoredNetwork(settings),
  })
  function forgetRestored(): void {
    for (const name of [PROXY, AUTHORITIES]) settings.forget(RESTORED + name)
  }
  function keep(authorities: string[]): NetworkState {
    own = authorities
    settings.remember(AUTHORITIES, JSON.stringify(own))
    revision += 1
    return state()
  }

  function setProxy(chosen: ProxyChoice): NetworkState {
    proxy = chosen
    settings.remember(PROXY, JSON.stringify(proxy))
    note(localized('network.proxy-changed'), proxyDetail(proxy))
    return state()
  }
  function trustAlso(authorities: readonly string[]): NetworkState {
    const known = new Set(own.map((each) => authorityOf(each).fingerprint))
    const added = authorities.filter((each) => {
      const { fingerprint } = authorityOf(each)
      return !known.has(fingerprint) && known.add(fingerprint)
    })
    const now = keep([...own, ...added])
    for (const each of added)
      note(localized('network.authority-added'), authorityDetail(authorityOf(each)))
    return now
  }

  return {
    network,
    state,
    setProxy,
    addAuthorities: (pem: string): NetworkState => trustAlso(readAuthorities(pem, clock.now())),
    adoptRestored(): NetworkState {
      const restored = restoredNetwork(settings)
      if (restored === null)
        throw failure(
          'NOT_FOUND',
          'There are no network settings of a restored backup.',
          'Check the list again.',
        )
      if (restored.proxy !== null) setProxy(restored.proxy)
      trustAlso(restoredAuthorities(settings))
      forgetRestored()
      return state()
    },
    discardRestored(): NetworkState {
      forgetRestored()
      return state()
    },
    removeAuthority(fingerprint: string): NetworkState {
      const removed = own.map(authorityOf).find((each) => each.fingerprint === fingerprint)
      const rest = own.filter((each) => authorityOf(each).fingerprint !== fingerprint)
      if (removed === undefined)
        throw failure(
          'NOT_FOUND',
          'This authority isn’t one that you added.',
          'Check the list again.',
        )
      const state = keep(rest)
      note(localized('network.authority-removed'), authorityDetail(removed))
      return state
    },
  }
}
export type ConfiguredNetwork = ReturnType<typeof createNetwork>
