import { copySecret } from '../../../lib/clipboard.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { CopyButton } from '../../../ui/controls/buttons/copy-button.tsx'
import { cx } from '../../../ui/cx.ts'
import styles from '../orders.module.css'

export interface ShownKey {
  value: string
  contentType: string
  kind: 'text' | 'link' | 'account' | 'picture'
  host: string | null
  account: { login: string; password: string } | null
  fault: 'broken' | 'too-large' | null
}

const pictures: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif'])

/**
 * A revealed key in its form: a code, a link with its host, a separate login and password, or a
 * picture.
 */
export function KeyValue({
  shown,
  masked,
  label,
}: {
  shown: ShownKey
  masked: string
  label: string
}) {
  const { kind, value, contentType, account, host, fault } = shown
  if (kind === 'picture' && fault !== null) {
    return (
      <>
        <span className={styles.key}>{masked}</span>
        <span className={styles.grey}>
          {' '}
          {fault === 'broken'
            ? 'This picture is damaged and can’t be shown.'
            : 'This picture has more than 40 megapixels and can’t be shown here.'}{' '}
        </span>
        <LinkButton
          onClick={() =>
            saveFile(
              `${label}.${contentType.replace(/^image\//, '').replace(/[^a-z0-9]/g, '')}`,
              value,
            )
          }
        >
          Save as file
        </LinkButton>
      </>
    )
  }
  if (kind === 'picture' && pictures.has(contentType)) {
    return (
      <>
        <span className={styles.key}>{masked}</span>
        <img className={styles.picture} src={`data:${contentType};base64,${value}`} alt={label} />
      </>
    )
  }
  if (kind === 'account' && account !== null) {
    return (
      <dl className={cx(styles.key, styles.revealed, styles.account)}>
        {(['login', 'password'] as const).map((part) => (
          <div key={part}>
            <dt>{part === 'login' ? 'Login' : 'Password'}</dt>
            <dd>{account[part]}</dd>
            <CopyButton
              label={`Copy ${part} of ${label}`}
              onCopy={() =>
                copySecret(part === 'login' ? 'Login copied' : 'Password copied', account[part])
              }
            />
          </div>
        ))}
      </dl>
    )
  }
  return (
    <span className={cx(styles.key, styles.revealed)}>
      {value}
      {host === null ? null : <span className={styles.grey}> opens {host}</span>}
    </span>
  )
}
