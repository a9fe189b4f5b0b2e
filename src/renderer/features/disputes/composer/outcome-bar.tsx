import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import type { ReplyOutcome } from '../../../../contract/disputes/dispute-replies.ts'
import { replyOutcomes } from '../../../../contract/disputes/dispute-replies.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { productLine } from '../../../lib/labels/product-labels.ts'
import { formatCount, formatEur } from '../../../ui/format.ts'
import styles from './composer.module.css'
import { TypedKey } from '../settle/typed-key.tsx'
import { outcomeWords } from '../words.ts'
import { outcomeObstacle } from './use-outcome.ts'
import type { ChosenOutcome } from './use-outcome.ts'

/** Chooses what is sent with the answer, and shows its effect above the button that sends it. */
export function OutcomeBar({
  detail,
  chosen,
  canSend,
  onChoose,
}: {
  detail: DisputeDetail
  chosen: ChosenOutcome
  canSend: boolean
  onChoose: (outcome: ReplyOutcome) => void
}) {
  return (
    <fieldset className={styles.outcomes}>
      <legend>Send with the answer</legend>
      <div className={styles.outcomeChoices}>
        {replyOutcomes.map((outcome) => {
          const obstacle = outcomeObstacle(outcome, detail, canSend)
          return (
            <label key={outcome} title={obstacle ?? undefined}>
              <input
                type="radio"
                name={`outcome-${detail.disputeId}`}
                checked={chosen.outcome === outcome}
                disabled={obstacle !== null && chosen.outcome !== outcome}
                onChange={() => onChoose(outcome)}
              />
              {outcomeWords[outcome].choice}
            </label>
          )
        })}
      </div>
      <Effect detail={detail} chosen={chosen} canSend={canSend} />
    </fieldset>
  )
}

function Effect({
  detail,
  chosen,
  canSend,
}: {
  detail: DisputeDetail
  chosen: ChosenOutcome
  canSend: boolean
}) {
  const { outcome, kind, effects, key, check, setKey } = chosen
  const obstacle = outcomeObstacle(outcome, detail, canSend)
  if (obstacle !== null) return <p className={styles.outcomeNote}>{obstacle}</p>
  if (outcome === 'close')
    return (
      <p className={styles.outcomeEffect}>
        Leaves the inbox until the customer writes. No key or money moves.
      </p>
    )
  if (kind === null) return null
  if (kind === 'replace-key')
    return (
      <>
        <p className={styles.outcomeEffect}>
          <b>The key you type</b> for {productLine(detail)}
        </p>
        <TypedKey value={key} check={check} onChange={setKey} />
      </>
    )
  if (effects === undefined) return <p className={styles.outcomeEffect}>Loading</p>
  return (
    <p className={styles.outcomeEffect}>
      {kind === 'refund' ? (
        <>
          <b>{effects.refundCents === null ? 'Amount unknown' : formatEur(effects.refundCents)}</b>{' '}
          back to the customer for {productLine(detail)}. The sale is canceled.
        </>
      ) : (
        <>
          <b>{t('counts.keys', { count: 1 })}</b> of {productLine(detail)}
          {effects.stock === null
            ? ', stock unknown'
            : `, stock ${formatCount(effects.stock.before)} → ${formatCount(effects.stock.after)}`}
        </>
      )}
    </p>
  )
}
