import type { DisputeTemplate } from '../../../../contract/disputes/dispute-records.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import styles from '../disputes.module.css'
import { KeyedChoice } from '../keyed-choice.tsx'
import { languageName, templateLanguages } from '../words.ts'

/** Asks for the language of a reply to a customer whose language the template doesn't have. */
export function LanguageDialog({
  template,
  language,
  onChoose,
  onClose,
}: {
  template: DisputeTemplate
  /** The customer's language; null if it isn't known. */
  language: string | null
  onChoose: (language: string) => void
  onClose: () => void
}) {
  return (
    <Dialog
      opened
      onClose={onClose}
      title={
        language === null
          ? 'Choose a language for the reply'
          : `The customer writes in ${languageName(language)}`
      }
      lead={
        language === null
          ? 'Keydesk couldn’t detect the customer’s language.'
          : `The template “${template.name}” has no text in ${languageName(language)}. Choose another language.`
      }
      width={380}
      actions={
        <Button size="md" keys={['Esc']} onClick={onClose} data-autofocus>
          Cancel
        </Button>
      }
    >
      <ul className={styles.choices}>
        {templateLanguages(template).map((code, at) => (
          <KeyedChoice key={code} keyName={String(at + 1)} onChoose={() => onChoose(code)}>
            {languageName(code)}
          </KeyedChoice>
        ))}
      </ul>
    </Dialog>
  )
}
