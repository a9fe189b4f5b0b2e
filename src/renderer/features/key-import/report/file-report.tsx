import { t } from '../../../../contract/localization/localized.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyOutcome } from '../../../../contract/keys/batches.ts'
import type { ImportReport } from '../../../../contract/keys/import-records.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { formatCount } from '../../../ui/format.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from '../key-import.module.css'

/**
 * The outcome of each file's lines: read, cleaned, rejected by Keydesk, and the service's result
 * for the lines that were sent.
 */
export function FileReport({ importId, report }: { importId: string; report: ImportReport }) {
  const save = useMutation({
    mutationFn: async () => {
      if (!(await openVault())) return
      const { fileName, base64 } = await rpc.imports.exportUnaccepted({ importId })
      saveFile(fileName, base64)
    },
    onError: (error) => toastProblem(problemOf(error)),
  })
  const isTold = report.files.some(({ unsure }) => unsure > 0)
  return (
    <section aria-label="Files">
      <table className={styles.table} aria-label="Files">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" className={styles.end}>
              Lines read
            </th>
            <th scope="col" className={styles.end}>
              Cleaned
            </th>
            <th scope="col" className={styles.end}>
              Rejected lines
            </th>
            <th scope="col" className={styles.end}>
              Added
            </th>
            <th scope="col" className={styles.end}>
              Duplicates
            </th>
            {isTold ? (
              <th scope="col" className={styles.end}>
                Undetermined
              </th>
            ) : null}
            <th scope="col" className={styles.end}>
              Rejected keys
            </th>
          </tr>
        </thead>
        <tbody>
          {report.files.map((file) => (
            <tr key={file.name}>
              <td title={file.name}>{file.name}</td>
              <td className={styles.end}>{formatCount(file.read)}</td>
              <td className={styles.end}>{formatCount(file.cleaned)}</td>
              <td
                className={styles.end}
                title={file.refusedLines === '' ? undefined : `Lines ${file.refusedLines}`}
              >
                {formatCount(file.refused)}
              </td>
              <td className={styles.end}>{formatCount(file.added)}</td>
              <td className={styles.end}>{formatCount(file.duplicates)}</td>
              {isTold ? <td className={styles.end}>{formatCount(file.unsure)}</td> : null}
              <td className={styles.end}>{formatCount(file.notTaken)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {report.files.map((file) =>
        file.refusedLines === '' ? null : (
          <p key={file.name} className={styles.lineNumbers}>
            <b>{file.name}</b>:{' '}
            {t('screens.imports-rejected-lines', { count: file.refused, lines: file.refusedLines })}
            {file.refused > 500 ? ' and more' : ''}
          </p>
        ),
      )}
      {report.unaccepted === 0 ? null : (
        <p className={styles.lineNumbers}>
          The service rejected {t('counts.keys', { count: report.unaccepted })}. They’re saved on
          this computer, encrypted.{' '}
          <LinkButton disabled={save.isPending} onClick={() => save.mutate()}>
            Export keys
          </LinkButton>
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
      <LinesOf
        importId={importId}
        fate="refused"
        count={report.unaccepted}
        what="rejected by the service"
      />
      {isTold ? (
        <p className={styles.lineNumbers}>
          Undetermined: one response counted added keys and duplicates together, and the service
          doesn’t report which is which.
        </p>
      ) : null}
    </section>
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
  const files = Map.groupBy(lines.data ?? [], ({ fileName }) => fileName)
  return (
    <div className={styles.lineNumbers}>
      {t('counts.lines', { count })} {what}.{' '}
      <LinkButton aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Hide lines' : 'Show lines'}
      </LinkButton>
      {open
        ? [...files].map(([name, found]) => (
            <div key={name}>
              <b>{name}</b>: {found.map(({ line }) => formatCount(line)).join(', ')}
              {count > SHOWN ? ' and more' : ''}
            </div>
          ))
        : null}
    </div>
  )
}
