import { Select } from '@mantine/core'
import { conclusionOf } from '../../../contract/webhook-inspector.ts'
import type { InspectorEventDetail, WebhookResults } from '../../../contract/webhook-inspector.ts'
import { Mark } from '../../ui/data-display/identity/mark.tsx'
import type { MarkKind } from '../../ui/data-display/identity/mark.tsx'
import { StatusTag } from '../../ui/data-display/status-tag.tsx'
import type { Tone } from '../../ui/data-display/status-tag.tsx'
import { formatClockSeconds, formatMoment } from '../../ui/format.ts'
import styles from './webhook-inspector.module.css'

type Shown = { mark: MarkKind; tone: Tone; tag: string }
const signatures: Record<WebhookResults['signature']['result'], Shown> = {
  genuine: { mark: 'ok', tone: 'ok', tag: 'Genuine' },
  forged: { mark: 'bad', tone: 'bad', tag: 'Forged' },
  unknown: { mark: 'unknown', tone: 'neutral', tag: 'Can’t tell' },
}
const ages: Record<WebhookResults['age']['result'], Shown> = {
  recent: { mark: 'ok', tone: 'ok', tag: 'Recent' },
  old: { mark: 'bad', tone: 'bad', tag: 'Too old' },
  future: { mark: 'bad', tone: 'bad', tag: 'From the future' },
  notJudged: { mark: 'unknown', tone: 'neutral', tag: 'Not judged' },
}
const duplicates: Record<WebhookResults['duplicate']['result'], Shown> = {
  new: { mark: 'ok', tone: 'ok', tag: 'New' },
  sameDelivery: { mark: 'warn', tone: 'warn', tag: 'Same delivery' },
  sameEvent: { mark: 'warn', tone: 'warn', tag: 'Same event' },
  notJudged: { mark: 'unknown', tone: 'neutral', tag: 'Not judged' },
}
const leads = {
  process: 'Three separate checks. A receiver can act on this event.',
  skip: 'Three separate checks. Don’t act on this event twice.',
  reject: 'Three separate checks. Don’t act on this event.',
  unknown: 'Three separate checks. They don’t show whether to act on this event.',
} as const
const responses = {
  process: 'Respond with 2xx within 8 seconds, store both ids, then read the order again.',
  skip: 'Respond with 2xx within 8 seconds. Don’t process it again; read the order if you need its current state.',
  reject: 'Respond with 400 and don’t process it.',
  unknown:
    'Check the signature with your secret and the age against your own clock before you process it.',
} as const

/** The mark of an event in the list: the worst of its results. */
export function markOf(results: WebhookResults, late: boolean): MarkKind {
  const marks = [
    signatures[results.signature.result],
    ages[results.age.result],
    duplicates[results.duplicate.result],
  ].map(({ mark }) => mark)
  if (marks.includes('bad')) return 'bad'
  const differs = results.headerFields.some((field) => field.differs)
  if (marks.includes('warn') || differs || late) return 'warn'
  return marks.includes('unknown') ? 'unknown' : 'ok'
}

/** The results other than the usual ones, in a few words: "header differs, duplicate". */
export function wordsOf({ signature, age, duplicate, headerFields }: WebhookResults): string[] {
  if (signature.result === 'forged') return ['signature doesn’t match']
  return [
    ...(signature.result === 'unknown' ? ['signature not checked'] : []),
    ...(age.result === 'old' ? ['too old'] : age.result === 'future' ? ['from the future'] : []),
    ...(age.result === 'notJudged' ? ['age not judged'] : []),
    ...(duplicate.result === 'new' ? [] : ['duplicate']),
    ...(headerFields.some(({ differs }) => differs) ? ['header differs'] : []),
  ]
}

/** A time as local time; digests keep their first and last eight characters. */
function Value({ value }: { value: string }) {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) {
    const at = Date.parse(value)
    const isToday = new Date(at).toDateString() === new Date().toDateString()
    return (
      <code title={value}>{isToday ? formatClockSeconds(at) : formatMoment(at, Date.now())}</code>
    )
  }
  if (/^[0-9a-f]{64}$/.test(value))
    return (
      <code title={value}>
        {value.slice(0, 8)}…{value.slice(-8)}
      </code>
    )
  return <code>{value}</code>
}

function Result({
  name,
  shown,
  result,
  children,
}: {
  name: string
  shown: Shown
  result: { text: string; values: readonly { label: string; value: string }[] }
  children?: React.ReactNode
}) {
  return (
    <section className={styles.result} aria-label={name}>
      <Mark kind={shown.mark} size={18} />
      <div>
        <header>
          <h3>{name}</h3>
          <StatusTag tone={shown.tone}>{shown.tag}</StatusTag>
        </header>
        <p>{result.text}</p>
        <dl>
          {result.values.map(({ label, value }, index) => (
            <div key={`${label} ${index}`}>
              <dt>{label}</dt>
              <dd>
                <Value value={value} />
              </dd>
            </div>
          ))}
          {children}
        </dl>
      </div>
    </section>
  )
}

const tolerances = [30, 60, 300, 600, 3600]

/**
 * The three results of a verification, each with its own mark and the compared values, below one
 * sentence that joins them.
 */
export function VerificationResults({
  event,
  toleranceSeconds,
  onTolerance,
}: {
  event: InspectorEventDetail
  toleranceSeconds: number
  onTolerance: (seconds: number) => void
}) {
  const { results } = event
  const { title, process } = conclusionOf(results)
  const offered = [...new Set([...tolerances, toleranceSeconds])].toSorted((a, b) => a - b)
  const judged = results.age.result !== 'notJudged'
  const age = { ...results.age, values: results.age.values.filter((v) => v.label !== 'Allowed') }
  return (
    <>
      <div className={styles.verdict}>
        <h2>{title}</h2>
        <p>{leads[process]}</p>
      </div>
      <Result
        name="Signature"
        shown={signatures[results.signature.result]}
        result={results.signature}
      />
      <Result name="Age" shown={ages[results.age.result]} result={judged ? age : results.age}>
        {!judged ? null : (
          <div>
            <dt>Allowed</dt>
            <dd>
              <Select
                size="xs"
                w={88}
                aria-label="Allowed age of the next events"
                data={offered.map((seconds) => ({ value: String(seconds), label: `${seconds} s` }))}
                value={String(toleranceSeconds)}
                allowDeselect={false}
                onChange={(value) => onTolerance(Number(value))}
              />
            </dd>
          </div>
        )}
      </Result>
      <Result
        name="Seen before"
        shown={duplicates[results.duplicate.result]}
        result={results.duplicate}
      />
      <div className={styles.advice}>
        <h3>What your receiver should do</h3>
        <p>{responses[process]}</p>
      </div>
    </>
  )
}
