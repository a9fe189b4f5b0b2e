import { t } from '../../../../contract/localization/localized.ts'
import type { Import } from '../../../../contract/keys/import-records.ts'
import type { ImportReport } from '../../../../contract/keys/import-reports.ts'
import { TotalBreakdown } from '../../../ui/data-display/amounts/total-breakdown.tsx'
import type { BreakdownTerm } from '../../../ui/data-display/amounts/total-breakdown.tsx'
import { formatCount } from '../../../ui/format.ts'
import { LineTotals } from '../line-totals.tsx'
import { reportedLines, sumLines, undeterminedLines } from './reported-lines.ts'

const foundBy = (here: number, service: number): string =>
  `${formatCount(here)} found here, ${formatCount(service)} by the service`

const undeterminedDetail = ({ canceled, mixed }: ReturnType<typeof undeterminedLines>): string =>
  [
    ...(canceled === 0 ? [] : ['response lost']),
    ...(mixed === 0 ? [] : ['added or duplicate']),
  ].join(', ')

/** Accounts for every line read after an upload; the terms add up to the lines read. */
export function ReportTotals({ work, report }: { work: Import; report: ImportReport | undefined }) {
  // Reports of earlier versions don't have the outcomes of each file.
  if (report === undefined || report.files.some(({ counts }) => counts === null))
    return <LineTotals work={work} />
  const total = sumLines(report.files.map(reportedLines))
  const optional = (term: BreakdownTerm): BreakdownTerm[] => (term.count === 0 ? [] : [term])
  return (
    <TotalBreakdown
      label="Lines read, by outcome"
      total={{
        label: 'Lines read',
        count: total.read,
        detail: t('counts.files', { count: report.files.length }),
      }}
      terms={[
        {
          label: 'Added',
          count: total.added,
          tone: 'ok',
          detail: [
            `to ${t('counts.offers', { count: work.offers.filter(({ added }) => added > 0).length })}`,
            total.cleaned === 0 ? '' : `${formatCount(total.cleaned)} cleaned`,
          ]
            .filter(Boolean)
            .join(', '),
        },
        {
          label: 'Duplicates',
          count: total.duplicates,
          tone: 'neutral',
          detail:
            total.duplicates === 0
              ? 'none'
              : foundBy(total.skipped, total.duplicates - total.skipped),
        },
        {
          label: 'Rejected',
          count: total.rejected,
          tone: 'bad',
          detail:
            total.rejected === 0
              ? 'none'
              : foundBy(total.rejectedHere, total.rejected - total.rejectedHere),
        },
        ...optional({
          label: 'Excluded',
          count: total.excluded,
          tone: 'warn',
          detail: 'response lost',
        }),
        ...optional({
          label: 'Set aside',
          count: total.setAside,
          tone: 'warn',
          detail: 'not sent',
        }),
        { label: 'No offer', count: total.noOffer, tone: 'warn', detail: 'not sent' },
        ...optional({
          label: 'Undetermined',
          count: total.unsure,
          tone: 'warn',
          detail: undeterminedDetail(undeterminedLines(work, total.unsure)),
        }),
        ...optional({
          label: 'Not sent',
          count: total.notSent,
          tone: 'warn',
          detail: 'deleted from this computer',
        }),
      ]}
    />
  )
}
