import { FileButton, Textarea } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import type { ClipboardEvent, ReactNode } from 'react'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import styles from '../parts.module.css'
import { noTable, pastedInto, tableOf, typedTable } from './table-text.ts'
import type { TableText } from './table-text.ts'

/** A table that is typed, pasted or read from a file. */
export function TableField({
  label,
  placeholder,
  table,
  onChange,
  state,
}: {
  label: string
  placeholder: string
  table: TableText
  onChange: (table: TableText) => void
  /** Facts about a table that isn't shown. */
  state: ReactNode
}) {
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const pasted = pastedInto(event.currentTarget, event.clipboardData.getData('text/plain'))
    if (pasted === null) return
    event.preventDefault()
    onChange(pasted)
  }
  return (
    <>
      {table.name === null ? (
        <Textarea
          label={label}
          placeholder={placeholder}
          value={table.text}
          minRows={4}
          maxRows={8}
          autosize
          data-autofocus
          onPaste={paste}
          onChange={(event) => onChange(typedTable(event.currentTarget.value))}
        />
      ) : (
        <Notice
          tone="info"
          title={table.name}
          action={<Button onClick={() => onChange(noTable)}>Remove</Button>}
        >
          {state}
        </Notice>
      )}
      <div className={styles.file}>
        <FileButton
          accept=".csv,.tsv,.txt,text/csv"
          onChange={(file) => void file?.text().then((text) => onChange(tableOf(text, file.name)))}
        >
          {({ onClick }) => (
            <Button icon={<IconFileText size={16} stroke={1.6} />} onClick={onClick}>
              Choose a CSV file…
            </Button>
          )}
        </FileButton>
      </div>
    </>
  )
}
