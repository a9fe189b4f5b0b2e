import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../../../contract/localization/localized.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import styles from '../parts.module.css'

export interface GuardConfirmation {
  /** The person confirmed that these prices are sent anyway. */
  confirmed: boolean
  onConfirm: (confirmed: boolean) => void
}

/** The prices of a plan that the price guard stops, and the confirmation that sends them anyway. */
export function GuardWarning({
  count,
  isNew = false,
  confirmed,
  onConfirm,
}: GuardConfirmation & {
  count: number
  /** New offers are compared with the shop's price. */
  isNew?: boolean
}) {
  const percent = useQuery(api.app.settings.queryOptions()).data?.priceGuard ?? 0
  if (count === 0) return null
  return (
    <>
      <Notice
        tone="warn"
        title={t(isNew ? 'screens.offers-far-from-shop' : 'screens.offers-over-guard', {
          count,
          percent,
        })}
      >
        {isNew ? 'Check these lines.' : 'Check the largest change and the lines below.'}
      </Notice>
      <Checkbox
        className={styles.beyond}
        size="sm"
        checked={confirmed}
        onChange={(event) => onConfirm(event.currentTarget.checked)}
        label={t('screens.offers-over-guard-confirm', { count })}
      />
    </>
  )
}
