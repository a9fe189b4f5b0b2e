import { useQuery } from '@tanstack/react-query'
import { IconAdjustments } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import type { Cents } from '../../../../../server/api/money.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatCents } from '../../../ui/format.ts'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import styles from '../price-watch.module.css'
import { modeTexts, summarizeRule } from '../price-watch-texts.ts'

/**
 * Side panel section with the rule of an offer, and a button to create a separate rule for it.
 * `floorCents`: the rule's floor, in what the seller receives.
 */
export function OfferRule({
  offerId,
  ruleId,
  floorCents,
}: {
  offerId: string
  ruleId: string | null
  floorCents: Cents | null
}) {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const rules = useQuery(api.priceWatch.rules.queryOptions({ input: { accountId } })).data
  const stored = rules?.find((rule) => rule.ruleId === ruleId) ?? null
  const isOwn = stored?.rule.scope.kind === 'offers' && stored.rule.scope.offerIds.length === 1
  const own =
    rules?.some(
      ({ rule: { scope } }) =>
        scope.kind === 'offers' && scope.offerIds.length === 1 && scope.offerIds[0] === offerId,
    ) ?? false
  return (
    <PanelSection
      title="Rule"
      aside={stored === null ? undefined : <StatusTag>{modeTexts[stored.mode]}</StatusTag>}
    >
      <p className={styles.sentence}>
        {stored === null ? (
          'No rule is in force for this offer.'
        ) : (
          <>
            <Link href={`/watch/rules/${stored.ruleId}`} className={styles.link}>
              {stored.rule.name}
            </Link>
            : {summarizeRule(stored.rule)}
            {floorCents === null ? '' : `, floor ${formatCents(floorCents)}`}
          </>
        )}
      </p>
      <Button
        icon={<IconAdjustments size={16} stroke={1.6} />}
        onClick={() => go(`/watch/rules/new?offer=${encodeURIComponent(offerId)}`)}
      >
        {isOwn || own ? 'Edit its rule…' : 'Create rule for this offer…'}
      </Button>
    </PanelSection>
  )
}
