import { IconChevronRight } from '@tabler/icons-react'
import { t } from '../../../../contract/localization/localized.ts'
import type { Import, LineOutcome, LineReason } from '../../../../contract/keys/import-records.ts'
import type { ImportReport } from '../../../../contract/keys/import-reports.ts'
import { formatCount } from '../../../ui/format.ts'
import styles from './report.module.css'
import { reasonLabels } from '../labels.ts'
import { ImportFixed } from './import-fixed.tsx'
import { ExportRejected } from '../line-totals.tsx'

type Group = {
  reason: LineReason
  fate: LineOutcome
  count: number
  files: { name: string; lines: string; isComplete: boolean }[]
}

const titles: Partial<Record<LineOutcome, string>> = {
  refused: 'Rejected lines',
  'set-aside': 'Lines set aside',
  'no-offer': 'Lines without an offer',
  duplicate: 'Duplicate lines',
}

/** The lines of one outcome by reason, over all files; most frequent first. */
function groupsOf(report: ImportReport, fate: LineOutcome): Group[] {
  const groups = new Map<LineReason, Group>()
  for (const { name, reasons } of report.files)
    for (const each of reasons) {
      if (each.fate !== fate) continue
      const group = groups.get(each.reason) ?? { reason: each.reason, fate, count: 0, files: [] }
      group.count += each.count
      group.files.push({ name, lines: each.lines, isComplete: each.isComplete })
      groups.set(each.reason, group)
    }
  return [...groups.values()].sort((a, b) => b.count - a.count)
}

/** The lines that weren't sent, by outcome and reason, with their first line numbers. */
export function LineGroups({ work, report }: { work: Import; report: ImportReport }) {
  return (
    <>
      {Object.entries(titles).map(([fate, title]) => {
        // Trusts the type of the record above.
        const groups = groupsOf(report, fate as LineOutcome)
        if (groups.length === 0) return null
        const total = groups.reduce((sum, { count }) => sum + count, 0)
        return (
          <section key={fate} className={styles.groups} aria-label={title}>
            <h2>
              {title} <span>{formatCount(total)}</span>
              {fate === 'refused' ? (
                <span className={styles.groupActions}>
                  <ExportRejected work={work} />
                  <ImportFixed work={work} />
                </span>
              ) : null}
            </h2>
            {groups.map((group) => (
              <ReasonGroup key={group.reason} work={work} group={group} />
            ))}
          </section>
        )
      })}
    </>
  )
}

function ReasonGroup({ work, group }: { work: Import; group: Group }) {
  const { title, text } = reasonLabels[group.reason]
  const examples =
    work.problems.find(({ reason, fate }) => reason === group.reason && fate === group.fate)
      ?.examples ?? []
  return (
    <details className={styles.group}>
      <summary>
        <IconChevronRight size={14} stroke={1.6} aria-hidden />
        <b>{title}</b>
        <span>{group.reason === 'no-offer' ? 'no offer was chosen' : text}</span>
        <span>{formatCount(group.count)}</span>
      </summary>
      <dl>
        {group.files.map(({ name, lines, isComplete }) => (
          <div key={name}>
            <dt title={name}>{name}</dt>
            <dd>
              {t('screens.imports-lines', { count: group.count, lines })}
              {isComplete ? '' : ' and more'}
            </dd>
          </div>
        ))}
        {group.fate === 'refused'
          ? examples.map((example) => (
              <div key={`${example.file}-${example.line}`}>
                <dt title={example.file}>Line {formatCount(example.line)}</dt>
                <dd className="kd-mono">{example.shown === '' ? '(empty)' : example.shown}</dd>
              </div>
            ))
          : null}
      </dl>
    </details>
  )
}
