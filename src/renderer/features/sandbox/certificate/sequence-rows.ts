/** The rows of a failure's sequence diagram. */
export type Lane = 'service' | 'receiver' | 'shop'
export type SequenceRow = {
  /** Number of the step, from 1; null for what follows them. */
  readonly step: number | null
  readonly from: Lane
  readonly to: Lane
  readonly text: string
  /** The message ends halfway. */
  readonly cut?: boolean
  /** The row that breaks the promise. */
  readonly bad?: boolean
}

const forgeries: Readonly<Record<string, string>> = {
  secret: 'forged, another secret',
  body: 'forged, changed body',
  unsigned: 'forged, no signature',
  time: 'forged, changed time',
}

const toReceiver = { from: 'service', to: 'receiver' } as const
const answer = { from: 'receiver', to: 'service' } as const
const handOn = { from: 'receiver', to: 'shop' } as const

/** One step of a replay text, such as `lost 1` or `forged 2 secret`. */
function rowsOf(text: string): Omit<SequenceRow, 'step'>[] {
  const [verb = '', order = '', variant = ''] = text.trim().split(/\s+/)
  const event = `event of order ${order}`
  switch (verb) {
    case 'deliver':
      return [{ ...toReceiver, text: event }]
    case 'resend':
      return [{ ...toReceiver, text: `${event}, new delivery id` }]
    case 'lost':
      return [
        { ...toReceiver, text: event },
        { ...answer, text: 'answer lost', cut: true },
      ]
    case 'pair':
      return [
        { ...toReceiver, text: event },
        { ...toReceiver, text: 'the same, at the same time' },
      ]
    case 'slow':
      return [{ ...toReceiver, text: `${event}, slowly` }]
    case 'cut':
      return [{ ...toReceiver, text: `${event}, connection cut`, cut: true }]
    case 'kill':
      return [{ ...toReceiver, text: `${event}; receiver killed` }]
    case 'forged':
      return [{ ...toReceiver, text: forgeries[variant] ?? 'forged' }]
    case 'stale':
      return [{ ...toReceiver, text: `${event}, time 330 s off` }]
    case 'test':
      return [{ ...toReceiver, text: 'event of a test order' }]
    case 'other':
      return [{ ...toReceiver, text: 'balance.credited' }]
    default:
      return []
  }
}

const outcomes: Readonly<Record<string, Omit<SequenceRow, 'step'>>> = {
  once: { ...handOn, text: 'hands on a unit twice' },
  lost: { ...handOn, text: 'a unit is never handed on', cut: true },
  older: { ...handOn, text: 'the older order is lost', cut: true },
  forged: { ...handOn, text: 'acts on the forged event' },
  stale: { ...handOn, text: 'acts on the stale event' },
  test: { ...handOn, text: 'acts on the test event' },
  state: { ...handOn, text: 'ends in another state' },
  answered: { ...answer, text: 'no 2xx answer', cut: true },
}

/**
 * The messages of a failure in their order, the broken promise last.
 *
 * @param replay as the certificate writes it, such as `completed: lost 1; deliver 1`
 */
export function sequenceRows(replay: string, invariant: string): SequenceRow[] {
  const steps = (replay.split(':')[1] ?? '').split(';')
  const sent = steps.flatMap((text, at) =>
    rowsOf(text).map((row, part) => ({ ...row, step: part === 0 ? at + 1 : null })),
  )
  const outcome = outcomes[invariant]
  return outcome === undefined ? sent : [...sent, { ...outcome, step: null, bad: true }]
}
