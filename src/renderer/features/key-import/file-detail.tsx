import { Select, Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FileSettings, Import, ImportFile } from '../../../contract/imports.ts'
import { problemOf } from '../../lib/problem.ts'
import { api } from '../../lib/rpc.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemCodes } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toastProblem } from '../../ui/toasts.tsx'
import { FirstLines } from './first-lines.tsx'
import styles from './key-import.module.css'
import { isSending } from './send-files.ts'
import { Targets } from './targets.tsx'

const delimiters = [{ value: ',', label: 'Comma' }, { value: ';', label: 'Semicolon' }, { value: '\t', label: 'Tab' }, { value: '|', label: 'Bar' }]
const encodings = [{ value: 'utf-8', label: 'UTF-8' }, { value: 'utf-16le', label: 'UTF-16 LE' }, { value: 'utf-16be', label: 'UTF-16 BE' }, { value: 'windows-1252', label: 'Windows-1252' }]

/** One file: what was detected, to which offers its lines go, and its first lines judged. */
export function FileDetail({ work, file }: { work: Import; file: ImportFile }) {
  const { importId } = work
  const tell = { onError: (error: unknown) => toastProblem(problemOf(error)) }
  const configure = useMutation(api.imports.configureFile.mutationOptions(tell))
  const remove = useMutation(api.imports.removeFile.mutationOptions(tell))
  const set = (settings: Partial<FileSettings>): void => configure.mutate({ importId, fileId: file.fileId, settings })
  const { settings } = file
  const columns = file.columns.map((label, index) => ({ value: String(index), label }))
  return (
    <div className={styles.middle}>
      <div className={styles.detailHead}>
        <b>{file.name}</b><span>Detected. Correct anything that is wrong.</span>
        <Button kind="quiet" size="xs" busy={remove.isPending} onClick={() => remove.mutate({ importId, fileId: file.fileId })}>Leave out</Button>
      </div>
      {file.problem === null ? null : <div className={styles.padded}><Notice tone="bad" title={file.problem.what}>{file.problem.next}<ProblemCodes problem={file.problem} /></Notice></div>}
      {file.state === 'receiving' && !isSending(file.fileId) ? (
        <div className={styles.padded}>
          <Notice tone="warn" title="Not all of this file has arrived.">This page does not send it: it was loaded again meanwhile, or another page sends it. If it does not go on, leave it out and drop it again.</Notice>
        </div>
      ) : null}
      <div className={styles.settings}>
        <Select label="Form" allowDeselect={false} data={[{ value: 'lines', label: 'One key a line' }, { value: 'table', label: 'Table' }]} value={settings.form} onChange={(form) => { if (form === 'lines' || form === 'table') set({ form }) }} />
        {settings.form === 'table' ? <Select label="Delimiter" allowDeselect={false} data={delimiters} value={settings.delimiter} onChange={(value) => set({ delimiter: value as FileSettings['delimiter'] })} /> : null}
        <Select label="Encoding" allowDeselect={false} data={encodings} value={settings.encoding} onChange={(value) => set({ encoding: value as FileSettings['encoding'] })} />
        {settings.form === 'table' ? (
          <>
            <Select label="Key column" allowDeselect={false} data={columns} value={String(settings.keyColumn)} onChange={(value) => set({ keyColumn: Number(value) })} />
            <Select
              label="Offer column" allowDeselect={false} data={[{ value: '', label: 'None' }, ...columns]} value={settings.offerColumn === null ? '' : String(settings.offerColumn)}
              onChange={(value) => set({ offerColumn: value === '' || value === null ? null : Number(value) })}
            />
            <div className={styles.header}><Switch size="sm" label="Line 1 is a header" checked={settings.header} onChange={(event) => set({ header: event.currentTarget.checked })} /></div>
          </>
        ) : null}
      </div>
      <Targets work={work} file={file} />
      <FirstLines importId={importId} file={file} />
    </div>
  )
}
