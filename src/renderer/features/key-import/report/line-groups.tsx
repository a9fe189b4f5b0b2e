import { IconChevronRight } from '@tabler/icons-react'
import { t } from '../../../../contract/localization/localized.ts'
import type { Import, LineOutcome } from '../../../../contract/keys/import-records.ts'
import type { ImportReport } from '../../../../contract/keys/import-reports.ts'
import { formatCount } from '../../../ui/format.ts'
import styles from './report.module.css'
import { reasonLabels } from '../labels.ts'
import { ImportFixed } from './import-fixed.tsx'
import { ExportRejected } from '../line-totals.tsx'
import { groupsOf } from './reported-lines.ts'
import type { LineGroup } from './reported-lines.ts'

const titles: Partial<Record<LineOutcome, string>> = {
  refused: 'Rejected lines',
  'set-aside': 'Lines set aside',
  'no-offer': 'Lines without an offer',
  duplicate: 'Duplicate lines',
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

function ReasonGroup({ work, group }: { work: Import; group: LineGroup }) {
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
        {group.files.map(({ name, count, lines, isComplete }, index) => (
          // Two files of an import can have the same name.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index}>
            <dt title={name}>{name}</dt>
            <dd>
              {t('screens.imports-lines', { count, lines })}
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
