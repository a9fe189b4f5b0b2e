/** The result of a certificate: readable, as JSON, and as JUnit XML. */
import type { Certificate, ShrunkFailure } from './certify.ts'
import { type Invariant, invariants } from './judge.ts'
import { scheduleText, type Step, type Verb } from './schedule.ts'

const words: Readonly<Record<Verb, string>> = {
  deliver: 'The event of order N is delivered.',
  resend: 'The same event is sent again under a new delivery id.',
  lost: 'The event of order N is delivered, and the answer is lost.',
  pair: 'The event of order N is delivered twice at the same time.',
  slow: 'The event of order N arrives slowly.',
  cut: 'The connection ends in the middle of the event of order N.',
  kill: 'The handler is killed while it handles the event of order N, and starts again.',
  forged: 'A forged event of order N arrives.',
  stale: 'An event of order N arrives whose time is more than 300 s away.',
  test: 'An event of a test order arrives.',
  other: 'A balance.credited event arrives.',
}
const variantWords: Readonly<Record<string, string>> = {
  secret: 'It is signed with another secret.',
  body: 'Its body was changed after it was signed; as parsed JSON it is the same.',
  unsigned: 'It has no signature.',
  time: 'The time in its signature was changed.',
}
const advice: Readonly<Record<Invariant, string>> = {
  once:
    'Record the order and hand on its units in one atomic write, keyed by the order. Delivery ids ' +
    'and event ids alone do not identify a repeat.',
  lost: 'Answer 2xx only after the units were handed on, and mark nothing as done before that.',
  forged: 'Compare the HMAC of the raw body before you parse, remember or change anything.',
  stale: 'Refuse signatures whose time is more than 300 s away, in both directions.',
  test: 'Ignore events whose mode is not that of your key.',
  answered: 'Answer every signed event with 2xx within 8 s, also those that you do not use.',
  older: 'Handle every order separately: events arrive in any order.',
  state: 'Read GET /orders/{id} and store its status, instead of deriving it from events.',
}

const stepWords = ({ verb, variant, order }: Step): string =>
  [words[verb].replace('N', String(order + 1)), variantWords[variant ?? ''] ?? []].flat().join(' ')

const headline = ({ failures, failed, schedules }: Certificate): string =>
  failed === 0
    ? `Certified: ${schedules} schedules passed.`
    : `Not certified: ${failed} of ${schedules} schedules failed` +
      (failures.length === 0 ? ', none of them when repeated alone.' : '.')

function failureLines({ schedule, violations, number, stepsBefore }: ShrunkFailure): string[] {
  const [violation] = violations
  if (violation === undefined) return []
  return [
    '',
    `FAILED  ${invariants[violation.invariant]}`,
    `  ${violation.detail} Schedule ${number}, shrunk from ${stepsBefore} steps to ${schedule.steps.length}:`,
    ...schedule.steps.map((step, at) => `  ${at + 1}. ${stepWords(step)}`),
    '  Then the service repeats what was not answered.',
    `  Fix: ${advice[violation.invariant]}`,
    `  Repeat it: --replay "${scheduleText(schedule)}"`,
  ]
}

export function readableReport(certificate: Certificate): string {
  const { deliveries, kills, slowestMs, seconds, seed } = certificate
  return [
    headline(certificate),
    `${deliveries} deliveries, ${kills} kills, slowest answer ${slowestMs} ms, ${seconds} s, seed ${seed}`,
    '',
    ...certificate.invariants.map(({ id, checked, failed }) => {
      const mark = checked === 0 ? 'not tested' : failed === 0 ? 'ok' : 'FAILED'
      return `  ${mark.padEnd(11)}${invariants[id]} (${checked} schedules, ${failed} failed)`
    }),
    ...certificate.failures.flatMap(failureLines),
    '',
  ].join('\n')
}

const failureView = ({ schedule, violations, number, stepsBefore }: ShrunkFailure) => {
  const [{ invariant = 'state', detail = '' } = {}] = violations
  return {
    invariant,
    title: invariants[invariant],
    detail,
    schedule: number,
    stepsBefore,
    steps: schedule.steps.map(stepWords),
    advice: advice[invariant],
    replay: scheduleText(schedule),
  }
}

/** The result with the texts that a person reads. */
const readable = (certificate: Certificate) => ({
  certified: certificate.failed === 0,
  ...certificate,
  invariants: certificate.invariants.map((one) => ({ ...one, title: invariants[one.id] })),
  failures: certificate.failures.map(failureView),
})

export const jsonReport = (certificate: Certificate): string =>
  `${JSON.stringify(readable(certificate), null, 2)}\n`

/** The result as the dashboard interface returns it, with both files. */
export function resultView(certificate: Certificate) {
  const { seed: _seed, kills: _kills, ...result } = readable(certificate)
  return { ...result, json: jsonReport(certificate), junit: junitReport(certificate) }
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** One test case per promise. */
export function junitReport(certificate: Certificate): string {
  const cases = certificate.invariants.map(({ id, checked, failed }) => {
    const open = `  <testcase classname="keydesk-sandbox certify" name="${escaped(invariants[id])}"`
    if (checked === 0) return `${open}><skipped/></testcase>`
    if (failed === 0) return `${open}/>`
    const shown = certificate.failures.find(({ violations }) => violations[0]?.invariant === id)
    const text = shown === undefined ? '' : failureLines(shown).join('\n').trim()
    return `${open}><failure message="${failed} schedules failed">${escaped(text)}</failure></testcase>`
  })
  const failures = certificate.invariants.filter(({ failed }) => failed > 0).length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="keydesk-sandbox certify" tests="${cases.length}" failures="${failures}" ` +
      `time="${certificate.seconds}">`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n')
}
