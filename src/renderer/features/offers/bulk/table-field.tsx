import { FileButton, Textarea } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import type { ClipboardEvent, ReactNode } from 'react'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import styles from '../parts.module.css'

/** A longer text isn't shown: laying out its lines would block the page. */
const LONGEST_SHOWN = 5000

interface TableText {
  /** Identifies the text, which is too long for a key. */
  number: number
  text: string
  /** The name of a text that isn't shown; null for one in the field. */
  name: string | null
}
let count = 0
export const noTable: TableText = { number: 0, text: '', name: null }
const tableOf = (text: string, name: string): TableText => ({
  number: (count += 1),
  text,
  name: text.length > LONGEST_SHOWN ? name : null,
})

/** The same text, to be read again. */
export const readAgain = (table: TableText): TableText => ({ ...table, number: (count += 1) })

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
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text/plain')
    if (text.length <= LONGEST_SHOWN) return
    event.preventDefault()
    onChange(tableOf(text, 'Pasted table'))
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
          onChange={(event) => onChange({ ...tableOf(event.currentTarget.value, ''), name: null })}
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
