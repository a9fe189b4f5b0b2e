import { t } from '../../../contract/localization/localized.ts'
import type { Import } from '../../../contract/keys/import-records.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { LinkButton } from '../../ui/controls/buttons/button.tsx'
import { formatCount } from '../../ui/format.ts'
import { TotalBreakdown } from '../../ui/data-display/amounts/total-breakdown.tsx'
import { usePlainExport } from './use-plain-export.tsx'

/** Accounts for every line: read = ready + no offer + set aside + duplicates + rejected. */
export function LineTotals({ work }: { work: Import }) {
  const { read, ready, noOffer, duplicate, refused, setAside, cleaned, warned } = work.sums
  const isOver = work.state === 'done' || work.state === 'cancelled'
  const added = work.offers.reduce((sum, offer) => sum + offer.added, 0)
  const notes = [
    cleaned === 0 ? '' : `${formatCount(cleaned)} cleaned`,
    warned === 0 ? '' : `${formatCount(warned)} with a warning`,
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <TotalBreakdown
      label="Lines read, by outcome"
      total={{
        label: 'Lines read',
        count: read,
        detail: t('counts.files', { count: work.files.length }),
      }}
      terms={[
        isOver
          ? {
              label: 'Valid lines',
              count: ready,
              tone: 'ok',
              detail: `${formatCount(added)} added by the service`,
            }
          : {
              label: 'Ready to upload',
              count: ready,
              tone: 'ok',
              detail: notes === '' ? 'nothing to clean' : notes,
            },
        {
          label: 'No offer yet',
          count: noOffer,
          tone: 'warn',
          detail:
            noOffer === 0
              ? 'every line has an offer'
              : isOver
                ? 'not uploaded'
                : 'choose an offer below',
        },
        ...(setAside === 0
          ? []
          : [
              {
                label: 'Set aside',
                count: setAside,
                tone: 'warn' as const,
                detail: isOver ? 'not uploaded' : 'include them, or leave them',
              },
            ]),
        { label: 'Duplicates', count: duplicate, tone: 'neutral', detail: 'skipped' },
        {
          label: 'Rejected',
          count: refused,
          tone: 'bad',
          detail: refused === 0 ? 'none' : <ExportRejected work={work} />,
        },
      ]}
    />
  )
}

/** Saves the rejected lines unchanged, to correct and import again. */
export function ExportRejected({ work: { importId, number, sums } }: { work: Import }) {
  const { ask, dialog } = usePlainExport(
    t('screens.imports-rejected-lines-of', { count: sums.refused, number }),
    async (typed) => [await rpc.imports.exportRefused({ importId, typed })],
  )
  return (
    <>
      <LinkButton onClick={ask}>Export to fix…</LinkButton>
      {dialog}
    </>
  )
}
