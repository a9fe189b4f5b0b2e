import { t } from '../../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyOutcome } from '../../../../contract/keys/batches.ts'
import type { Import } from '../../../../contract/keys/import-records.ts'
import type { ImportReport } from '../../../../contract/keys/import-reports.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { NotRead } from '../../../ui/feedback/not-read.tsx'
import { formatCount } from '../../../ui/format.ts'
import shared from '../key-import.module.css'
import styles from './report.module.css'
import { usePlainExport } from '../use-plain-export.tsx'
import { lineRanges, reportedLines, sumLines, undeterminedLines } from './reported-lines.ts'
import type { ReportedLines } from './reported-lines.ts'

/**
 * The outcome of each file's lines: read, cleaned, rejected by Keydesk, excluded by the user, and
 * the service's result for the lines that were sent.
 */
export function FileReport({ work, report }: { work: Import; report: ImportReport }) {
  const { importId, number } = work
  const rejected = report.unaccepted - report.excluded
  const { ask, dialog } = usePlainExport(
    t('screens.imports-rejected-keys-of', { count: report.unaccepted, number }),
    async (typed) => [await rpc.imports.exportUnaccepted({ importId, typed })],
  )
  return (
    <section aria-label="Files">
      <FileTable report={report} />
      {report.unaccepted === 0 ? null : (
        <p className={styles.lineNumbers}>
          {rejected === 0 ? '' : `The service rejected ${t('counts.keys', { count: rejected })}. `}
          {report.excluded === 0
            ? ''
            : `${t('screens.imports-excluded', { count: report.excluded })} `}
          They’re saved on this computer, encrypted.{' '}
          <LinkButton onClick={ask}>Export keys…</LinkButton>
          {dialog}
        </p>
      )}
      <LinesOf
        importId={importId}
        fate="duplicate"
        count={sumOf(report, 'duplicates')}
        what="already on the service"
      />
      <LinesOf
        importId={importId}
        fate="unsure"
        count={sumOf(report, 'unsure')}
        what="undetermined"
      />
      <LinesOf importId={importId} fate="refused" count={rejected} what="rejected by the service" />
      <LinesOf importId={importId} fate="excluded" count={report.excluded} what="excluded" />
      <Undetermined work={work} unsure={sumOf(report, 'unsure')} />
    </section>
  )
}

/** Why lines are undetermined. A canceled import can have lines for both reasons. */
function Undetermined({ work, unsure }: { work: Import; unsure: number }) {
  const { canceled, mixed } = undeterminedLines(work, unsure)
  return (
    <>
      {canceled === 0 ? null : (
        <p className={styles.lineNumbers}>
          Undetermined, {t('counts.lines', { count: canceled })}: the import was canceled before the
          response arrived. If you import the lines again, the service skips keys it already has.
        </p>
      )}
      {mixed === 0 ? null : (
        <p className={styles.lineNumbers}>
          Undetermined, {t('counts.lines', { count: mixed })}: one response counted added keys and
          duplicates together, and the service doesn’t report which is which.
        </p>
      )}
    </>
  )
}

type Column = { title: string; of: (lines: ReportedLines) => number; isOptional?: boolean }
const columns: readonly Column[] = [
  { title: 'Lines read', of: ({ read }) => read },
  { title: 'Added', of: ({ added }) => added },
  { title: 'Duplicates', of: ({ duplicates }) => duplicates },
  { title: 'Rejected', of: ({ rejected }) => rejected },
  { title: 'Excluded', of: ({ excluded }) => excluded, isOptional: true },
  { title: 'Set aside', of: ({ setAside }) => setAside, isOptional: true },
  { title: 'No offer', of: ({ noOffer }) => noOffer },
  { title: 'Undetermined', of: ({ unsure }) => unsure, isOptional: true },
  { title: 'Not sent', of: ({ notSent }) => notSent, isOptional: true },
]

/** One row per file and a total. In each row the outcomes add up to the lines read. */
function FileTable({ report }: { report: ImportReport }) {
  const rows = report.files.map(reportedLines)
  const total = sumLines(rows)
  const shown = columns.filter(({ of, isOptional = false }) => !isOptional || of(total) > 0)
  return (
    <table className={shared.table} aria-label="Files">
      <thead>
        <tr>
          <th scope="col">File</th>
          {shown.map(({ title }) => (
            <th key={title} scope="col" className={shared.end}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // Two files of an import can have the same name.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={index}>
            <td title={report.files[index]?.name}>{report.files[index]?.name}</td>
            {shown.map(({ title, of }) => (
              <td key={title} className={shared.end}>
                {title === 'No offer' && report.files[index]?.counts === null
                  ? '–'
                  : formatCount(of(row))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {rows.length < 2 ? null : (
        <tfoot>
          <tr>
            <th scope="row">All files</th>
            {shown.map(({ title, of }) => (
              <td key={title} className={shared.end}>
                {formatCount(of(total))}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  )
}

const SHOWN = 500
const sumOf = (report: ImportReport, what: 'duplicates' | 'unsure'): number =>
  report.files.reduce((sum, file) => sum + file[what], 0)

/** Lists the lines with one outcome on demand. */
function LinesOf({
  importId,
  fate,
  count,
  what,
}: {
  importId: string
  fate: KeyOutcome
  count: number
  what: string
}) {
  const [open, setOpen] = useState(false)
  const lines = useQuery({
    ...api.imports.outcomes.queryOptions({ input: { importId, fate, limit: SHOWN } }),
    enabled: open,
  })
  if (count === 0) return null
  const files = Map.groupBy(lines.data ?? [], ({ file }) => file)
  return (
    <div className={styles.lineNumbers}>
      {t('counts.lines', { count })} {what}.{' '}
      <LinkButton aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Hide lines' : 'Show lines'}
      </LinkButton>
      {open && lines.data === undefined ? <NotRead query={lines} /> : null}
      {open
        ? [...files].map(([file, found]) => (
            <div key={file}>
              <b>{found[0]?.fileName}</b>:{' '}
              {lineRanges(
                found.map(({ line }) => line),
                count <= SHOWN,
              )}
            </div>
          ))
        : null}
    </div>
  )
}
