import type { InspectorEventDetail, VerificationStep } from '../../../contract/webhook-inspector.ts'
import { Mark } from '../../ui/data-display/identity/mark.tsx'
import styles from './webhook-inspector.module.css'

const names: Record<VerificationStep['id'], string> = {
  headers: 'Headers present',
  fresh: 'Timestamp in tolerance',
  signed: 'Signed text assembled',
  digest: 'HMAC-SHA256 with the secret',
  equal: 'Digests match',
  new: 'New delivery',
}
const failedNames: Record<VerificationStep['id'], string> = {
  headers: 'Headers are missing or wrong',
  fresh: 'Too old, or in the future',
  signed: 'Signed text',
  digest: 'Not a signing secret',
  equal: 'Digests differ',
  new: 'Repeated delivery',
}
const verdicts = {
  genuine: 'Genuine and new',
  repeat: 'Genuine, but a repeat',
  refused: 'Not genuine',
} as const
const markOf = ({ result, id }: VerificationStep) =>
  result === 'passed' ? 'ok' : result === 'skipped' ? 'skip' : id === 'new' ? 'warn' : 'bad'

/**
 * The verification step by step, each with the compared values. The first failed step is red, and
 * later ones are gray.
 */
export function VerificationSteps({
  event,
  toleranceSeconds,
}: {
  event: InspectorEventDetail
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
        <b>How a receiver should respond</b>
        <p>
          {event.verdict === 'refused'
            ? 'Respond with 400 and don’t process it. '
            : event.verdict === 'repeat'
              ? 'Respond with 2xx and don’t process it. '
              : 'Respond with 2xx within 8 seconds, store the delivery id, then read the order again. '}
          Events can arrive late, twice or out of order. The tolerance here is {toleranceSeconds} s.
        </p>
      </div>
    </>
  )
}
