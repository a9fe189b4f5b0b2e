import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyFate } from '../../../contract/batches.ts'
import type { ImportReport } from '../../../contract/imports.ts'
import { problemOf } from '../../lib/problem.ts'
import { api, rpc } from '../../lib/rpc.ts'
import { saveFile } from '../../lib/save-file.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { LinkButton } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format.ts'
import { toastProblem } from '../../ui/toasts.tsx'
import styles from './key-import.module.css'
import { countOf } from './words.ts'

/**
 * What became of the lines of each file: read, cleaned, refused here, and what the service said of
 * those that were sent.
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
              Refused here
            </th>
            <th scope="col" className={styles.end}>
              Added
            </th>
            <th scope="col" className={styles.end}>
              Duplicates
            </th>
            {isTold ? (
              <th scope="col" className={styles.end}>
                Not told apart
              </th>
            ) : null}
            <th scope="col" className={styles.end}>
              Not taken
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
            <b>{file.name}</b>: refused {file.refused === 1 ? 'line' : 'lines'} {file.refusedLines}
            {file.refused > 500 ? ' and more' : ''}
          </p>
        ),
      )}
      {report.unaccepted === 0 ? null : (
        <p className={styles.lineNumbers}>
          The service did not take {countOf(report.unaccepted, 'key')}; they are kept here,
          encrypted.{' '}
          <LinkButton disabled={save.isPending} onClick={() => save.mutate()}>
            Export them
          </LinkButton>
        </p>
      )}
      <LinesOf
        importId={importId}
        fate="duplicate"
        count={sumOf(report, 'duplicates')}
        what="the service had already"
      />
      <LinesOf
        importId={importId}
        fate="unsure"
        count={sumOf(report, 'unsure')}
        what="not told apart"
      />
      <LinesOf
        importId={importId}
        fate="refused"
        count={report.unaccepted}
        what="not taken by the service"
      />
      {isTold ? (
        <p className={styles.lineNumbers}>
          Not told apart: an answer counted added keys and duplicates together, and the service
          doesn’t say which is which.
        </p>
      ) : null}
    </section>
  )
}

const SHOWN = 500
const sumOf = (report: ImportReport, what: 'duplicates' | 'unsure'): number =>
  report.files.reduce((sum, file) => sum + file[what], 0)

/** Which lines fared so, when somebody wants to know. */
function LinesOf({
  importId,
  fate,
  count,
  what,
}: {
  importId: string
  fate: KeyFate
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
      {countOf(count, 'line')} {what}.{' '}
      <LinkButton aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Hide them' : 'Which ones?'}
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
