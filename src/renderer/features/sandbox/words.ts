import { t } from '../../../contract/localization/localized.ts'
import type { SandboxDue, SandboxFault } from '../../../contract/sandbox/sandbox-control.ts'
import type { Tone } from '../../ui/data-display/status-tag.tsx'
import { formatCount, formatDuration, formatUtc } from '../../ui/format.ts'

export const statusWords: Record<string, { word: string; tone: Tone }> = {
  active: { word: 'Active', tone: 'ok' },
  pending: { word: 'Pending', tone: 'warn' },
  suspended: { word: 'Suspended', tone: 'bad' },
  rejected: { word: 'Rejected', tone: 'bad' },
}

/** A sentence of the service with its instants as the console writes UTC. */
export const withUtc = (sentence: string): string =>
  sentence.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (instant) =>
    formatUtc(Date.parse(instant)),
  )

/** Describes a due event in one line. */
export function dueWords({
  kind,
  what,
  count,
}: Pick<SandboxDue, 'kind' | 'what' | 'count'>): string {
  switch (kind) {
    case 'webhook':
      return `Webhook attempt ${count}, ${what}`
    case 'dispute':
      return `Dispute on ${what} escalates`
    case 'release':
      return t('screens.sandbox-payout', { count })
    case 'market':
      return 'Market activity'
  }
}

export interface FaultWords {
  subject: string
  does: string
  times: string
  /** How often it has occurred. */
  hits: number
  /** It occurred as often as it was set to. */
  isUsedUp: boolean
}

function effectOf({
  status,
  code,
  latencyMs,
  dropConnection,
  afterCommit,
}: Extract<SandboxFault, { match: object }>): string {
  const parts = [
    ...(latencyMs === undefined ? [] : [`is delayed by ${formatCount(latencyMs)} ms`]),
    ...(afterCommit === true ? ['is carried out'] : []),
    ...(dropConnection === true ? ['drops the connection'] : []),
    ...(status === undefined && code === undefined
      ? []
      : [`returns ${[status, code].filter((part) => part !== undefined).join(' ')}`]),
  ]
  return parts.length === 0 ? 'has no effect' : parts.join(', then ')
}

const timesWords = (times: number): string => t('counts.times', { count: times })

/**
 * Describes a fault: the requests it matches, its effect and its remaining times. Null for the
 * supplier fault, which is a switch.
 */
export function faultWords(fault: SandboxFault): FaultWords | null {
  if ('supplierDown' in fault) return null
  if ('deliver' in fault) {
    const { productId, failUnits } = fault.deliver
    return {
      subject: '',
      does:
        productId === undefined ? 'Delivery fails, any product' : `Delivery fails, ${productId}`,
      times: t('counts.units', { count: failUnits }),
      hits: fault.hits ?? 0,
      isUsedUp: (fault.hits ?? 0) >= failUnits,
    }
  }
  const { match, times, probability } = fault
  const chance = probability === undefined ? [] : [`${Math.round(probability * 1000) / 10} %`]
  return {
    subject: [match.method, match.path ?? 'any path']
      .filter((part) => part !== undefined)
      .join(' '),
    does: effectOf(fault),
    times: [...chance, ...(times === undefined ? [] : [timesWords(times)])].join(', ') || 'always',
    hits: fault.hits ?? 0,
    isUsedUp: times !== undefined && (fault.hits ?? 0) >= times,
  }
}

/** How far the sandbox's clock is ahead: "2 d 17 h ahead". Null if it isn't. */
export const aheadWords = (offsetMs: number): string | null =>
  offsetMs < 60_000 ? null : `${formatDuration(offsetMs)} ahead`

/**
 * The tone of an HTTP status in the log. 0 means that the connection closed before the response.
 */
export const statusTone = (status: number): 'ok' | 'warn' | 'bad' =>
  status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'ok'
