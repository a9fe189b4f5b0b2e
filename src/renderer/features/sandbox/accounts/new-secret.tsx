import { copySecret } from '../../../lib/clipboard.ts'
import { MaskedKey } from '../../../ui/data-display/identity/masked-key.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import styles from '../sandbox.module.css'

/**
 * A newly created key or secret, masked until revealed. It isn't stored after the dialog closes.
 */
export function NewSecret({ value, name }: { value: string; name: string }) {
  return (
    <>
      <div className={styles.secret}>
        <MaskedKey
          masked={`${/^[a-z]+_(live_|test_)?/.exec(value)?.[0] ?? ''}••••••••`}
          label={`the ${name}`}
          onReveal={async () => value}
          onCopy={() => copySecret('Copied', value)}
        />
      </div>
      <Notice tone="warn" title="Shown once.">
        Copy it before you close this dialog. The sandbox stores only its hash.
      </Notice>
    </>
  )
}
