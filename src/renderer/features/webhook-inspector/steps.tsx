import type { BenchEventDetail, VerificationStep } from '../../../contract/webhook-inspector.ts'
import { Mark } from '../../ui/mark.tsx'
import styles from './bench.module.css'

const names: Record<VerificationStep['id'], string> = {
  headers: 'Headers are there',
  fresh: 'Fresh enough',
  signed: 'Signed text put together',
  digest: 'HMAC-SHA256 with the secret',
  equal: 'Computed and received are equal',
  new: 'Not seen before',
}
const failedNames: Record<VerificationStep['id'], string> = {
  headers: 'Headers are missing or wrong',
  fresh: 'Too old, or ahead of time',
  signed: 'Signed text',
  digest: 'This is no signing secret',
  equal: 'Computed and received differ',
  new: 'Seen before',
}
const verdicts = {
  genuine: 'Genuine, and new',
  repeat: 'Genuine, but a repeat',
  refused: 'Not genuine',
} as const
const markOf = ({ result, id }: VerificationStep) =>
  result === 'passed' ? 'ok' : result === 'skipped' ? 'skip' : id === 'new' ? 'warn' : 'bad'

/**
 * The verification, step by step, each with what was compared. The first that fails is red and the
 * rest stay grey.
 */
export function Steps({
  event,
  toleranceSeconds,
}: {
  event: BenchEventDetail
  toleranceSeconds: number
}) {
  const passed = event.steps.filter(({ result }) => result === 'passed').length
  return (
    <>
      <h2 className={styles.verdict}>
        <Mark
          kind={event.verdict === 'genuine' ? 'ok' : event.verdict === 'repeat' ? 'warn' : 'bad'}
          size={18}
        />
        {verdicts[event.verdict]}
        <small>
          {passed} of {event.steps.length}
        </small>
      </h2>
      <ol className={styles.steps}>
        {event.steps.map((step) => (
          <li key={step.id} data-result={step.result}>
            <Mark kind={markOf(step)} label={step.result} />
            <div>
              <b>{step.result === 'failed' ? failedNames[step.id] : names[step.id]}</b>
              <p>{step.text}</p>
              {step.values.map(({ label, value }, index) => (
                <code key={`${label} ${index}`} data-label={label}>
                  <em>{label}</em>
                  {value}
                </code>
              ))}
            </div>
          </li>
        ))}
      </ol>
      <div className={styles.advice}>
        <b>What a receiver does now</b>
        <p>
          {event.verdict === 'refused'
            ? 'Answer 400 and handle nothing. '
            : event.verdict === 'repeat'
              ? 'Answer 2xx and handle nothing. '
              : 'Answer 2xx within 8 seconds, remember the delivery id, then read the order again. '}
          Events may come late, twice or out of order. A timestamp within {toleranceSeconds} s
          counts as fresh here.
        </p>
      </div>
    </>
  )
}
