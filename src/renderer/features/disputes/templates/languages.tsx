import styles from './templates.module.css'
import { languageName } from '../words.ts'

/** Chooses a template's language. */
export function Languages({
  codes,
  chosen,
  onChoose,
}: {
  codes: readonly string[]
  chosen: string | undefined
  onChoose: (code: string) => void
}) {
  return (
    <div className={styles.languages} role="group" aria-label="Language">
      {codes.map((code) => (
        <button
          key={code}
          type="button"
          aria-pressed={code === chosen}
          onClick={() => onChoose(code)}
        >
          {languageName(code)}
        </button>
      ))}
    </div>
  )
}
