import { IconTemplate } from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import styles from './composer.module.css'
import { languageName } from '../words.ts'

const longest = 10_000

/** The text field with its buttons. */
export function AnswerField({
  field,
  text,
  unfilled,
  language,
  locked,
  busy,
  ready,
  sendLabel,
  children,
  onChange,
  onLeave,
  onTemplates,
  onSend,
}: {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  unfilled: readonly string[]
  /** The customer's language. */
  language: string | null
  locked: boolean
  busy: boolean
  /** Whether what is sent with the answer is known and possible. */
  ready: boolean
  sendLabel: string
  /** What is sent with the answer, between the text and the button. */
  children: ReactNode
  onChange: (text: string) => void
  onLeave: () => void
  onTemplates: () => void
  onSend: () => void
}) {
  return (
    <div className={styles.paper}>
      <textarea
        ref={field}
        aria-label="Answer to the customer"
        placeholder="Write to the customer"
        value={text}
        maxLength={longest}
        disabled={locked}
        dir="auto"
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onLeave}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            onSend()
          }
          if (event.key === 'Escape') {
            event.stopPropagation()
            event.currentTarget.blur()
          }
        }}
      />
      {children}
      <footer>
        <Button
          kind="quiet"
          icon={<IconTemplate size={16} stroke={1.6} />}
          keys={['T']}
          onClick={onTemplates}
        >
          Template
        </Button>
        <AnswerNote unfilled={unfilled} language={language} />
        <Button
          busy={busy}
          disabled={(text.trim() === '' || !ready) && !busy}
          keys={['Ctrl', 'Enter']}
          onClick={onSend}
        >
          {sendLabel}
        </Button>
      </footer>
    </div>
  )
}

/** Fields of the template that aren't filled in, or the customer's language. */
function AnswerNote({
  unfilled,
  language,
}: {
  unfilled: readonly string[]
  language: string | null
}) {
  return (
    <small data-missing={unfilled.length > 0 || undefined}>
      {unfilled.length > 0
        ? `Not filled in: ${unfilled.join(', ')}`
        : language === null || language === 'en'
          ? null
          : `The customer writes in ${languageName(language)}`}
    </small>
  )
}
