import { Select, Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FileSettings, ImportFile } from '../../../../contract/keys/import-records.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from './check.module.css'

const delimiters = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Pipe' },
]
const encodings = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'utf-16le', label: 'UTF-16 LE' },
  { value: 'utf-16be', label: 'UTF-16 BE' },
  { value: 'windows-1252', label: 'Windows-1252' },
]

const purchaseColumns = [
  { name: 'costColumn', label: 'Cost column' },
  { name: 'supplierColumn', label: 'Supplier column' },
] as const

const toastFailure = ({ name }: ImportFile) => ({
  onError: (error: unknown) => toastProblem(problemOf(error), name),
})

/**
 * The detected settings of a file; a correction reads the file again immediately. Pictures have no
 * settings.
 */
export function FileSettingsRow({ importId, file }: { importId: string; file: ImportFile }) {
  const { settings, kind, fileId } = file
  const configure = useMutation(api.imports.configureFile.mutationOptions(toastFailure(file)))
  const set = (changed: Partial<FileSettings>): void =>
    configure.mutate({ importId, fileId, settings: changed })
  if (
    kind === 'pictures' ||
    (file.state === 'failed' &&
      file.columns.length === 0 &&
      kind === 'text' &&
      file.problem?.code !== 'NOT_TEXT')
  )
    return null
  const isTable = settings.form === 'table'
  return (
    <div className={styles.settings}>
      {kind === 'workbook' ? (
        <SheetSettings importId={importId} file={file} set={set} />
      ) : (
        <TextSettings file={file} set={set} />
      )}
      {isTable ? <ColumnSettings file={file} set={set} /> : null}
      <div className={styles.header}>
        <Switch
          size="sm"
          label={`${kind === 'workbook' ? 'Row' : 'Line'} ${settings.skipLines + 1} is a header`}
          checked={settings.header}
          onChange={(event) => set({ header: event.currentTarget.checked })}
        />
      </div>
    </div>
  )
}

type SettingsProps = { file: ImportFile; set: (changed: Partial<FileSettings>) => void }

/** Which sheet of a workbook is read; another one can be added as a file of its own. */
function SheetSettings({ importId, file, set }: SettingsProps & { importId: string }) {
  const { settings, sheets, fileId } = file
  const addSheet = useMutation(api.imports.addSheet.mutationOptions(toastFailure(file)))
  const sheetChoices = sheets.map(({ name, hidden }, index) => ({
    value: String(index),
    label: hidden ? `${name} (hidden)` : name,
  }))
  return (
    <>
      <Select
        label="Sheet"
        allowDeselect={false}
        data={sheetChoices}
        value={String(settings.sheet)}
        onChange={(value) => set({ sheet: Number(value) })}
      />
      {sheets.length > 1 ? (
        <Select
          label="Additional sheet"
          placeholder="Add a sheet"
          data={sheetChoices.filter(({ value }) => value !== String(settings.sheet))}
          value={null}
          disabled={addSheet.isPending}
          onChange={(value) => {
            if (value !== null) addSheet.mutate({ importId, fileId, sheet: Number(value) })
          }}
        />
      ) : null}
    </>
  )
}

/** How the text of a file is read. */
function TextSettings({ file, set }: SettingsProps) {
  const { settings } = file
  return (
    <>
      <Select
        label="Format"
        allowDeselect={false}
        data={[
          { value: 'lines', label: file.logins ? 'One login per line' : 'One key per line' },
          { value: 'table', label: 'Table' },
        ]}
        value={settings.form}
        onChange={(form) => {
          if (form === 'lines' || form === 'table') set({ form })
        }}
      />
      {settings.form === 'table' ? (
        <Select
          label="Delimiter"
          allowDeselect={false}
          data={delimiters}
          value={settings.delimiter}
          onChange={(value) => set({ delimiter: value as FileSettings['delimiter'] })}
        />
      ) : null}
      <Select
        label="Encoding"
        allowDeselect={false}
        data={encodings}
        value={settings.encoding}
        onChange={(value) => set({ encoding: value as FileSettings['encoding'] })}
      />
    </>
  )
}

/** Which columns of a table are read. */
function ColumnSettings({ file, set }: SettingsProps) {
  const { settings } = file
  const columns = file.columns.map((label, index) => ({ value: String(index), label }))
  return (
    <>
      <Select
        label="Key column"
        allowDeselect={false}
        data={columns}
        value={String(settings.keyColumn)}
        onChange={(value) => set({ keyColumn: Number(value) })}
      />
      <Select
        label="Offer column"
        allowDeselect={false}
        data={[{ value: '', label: 'None' }, ...columns]}
        value={settings.offerColumn === null ? '' : String(settings.offerColumn)}
        onChange={(value) =>
          set({ offerColumn: value === '' || value === null ? null : Number(value) })
        }
      />
      {purchaseColumns.map(({ name, label }) => (
        <Select
          key={name}
          label={label}
          data={[{ value: '', label: 'None' }, ...columns]}
          allowDeselect={false}
          value={settings[name] === null ? '' : String(settings[name])}
          onChange={(value) =>
            set({ [name]: value === '' || value === null ? null : Number(value) })
          }
        />
      ))}
    </>
  )
}
