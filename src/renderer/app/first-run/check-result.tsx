import type { KeyCheck } from '../../../contract/app/accounts.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { Mark } from '../../ui/data-display/identity/mark.tsx'
import { ProblemNotice } from '../../ui/feedback/problem-notice.tsx'
import { ProgressRing } from '../../ui/feedback/progress-ring.tsx'
import { missingAbilities } from '../accounts/key-field.ts'
import styles from './first-run.module.css'
import type { KeyCheckState } from './use-key-check.ts'

const eitherOf = (parts: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(parts)

/** For example "Commission: keys 10 %, accounts 15 %" or "Scopes: catalogue, orders". */
function detailOf(found: KeyCheck): string | null {
  if (found.role === 'seller' && found.commissions.length > 0)
    return (
      'Commission: ' +
      `${found.commissions.map((each) => `${each.class.replace(/_/g, ' ')} ${each.percent} %`).join(', ')}`
    )
  return found.scopes.length === 0 ? null : `Scopes: ${found.scopes.join(', ')}`
}

/** The service's findings about the key, one per line, or the problem and its remedy. */
export function CheckResult({ check }: { check: KeyCheckState }) {
  if (check.state === 'none') return null
  if (check.state === 'asking')
    return (
      <div className={styles.check} role="status">
        <p>
          <ProgressRing label="Checking" />
          Checking this key with the service
        </p>
      </div>
    )
  if (check.problem !== null) {
    return (
      <ProblemNotice
        problem={check.problem}
        action={<Button onClick={check.again}>Check again</Button>}
      />
    )
  }
  const found = check.found
  if (found === null) return null
  const who = [
    found.shopName === null ? null : `${found.shopName},`,
    found.status === null ? null : found.status.replace(/_/g, ' '),
    `${found.role}${found.currency === null ? '' : `, ${found.currency}`}`,
  ]
    .filter((part) => part !== null)
    .join(' ')
  const detail = detailOf(found)
  const missing = missingAbilities(found)
  return (
    <div className={styles.check} role="status">
      <p>
        <Mark kind="ok" />
        The service accepts this key<span>{found.latencyMs} ms</span>
      </p>
      <p>
        <Mark
          kind={found.status === null || found.status.toLowerCase() === 'active' ? 'ok' : 'warn'}
        />
        {who}
      </p>
      {detail === null ? null : (
        <p>
          <Mark kind={missing.length === 0 ? 'ok' : 'warn'} />
          {detail}
        </p>
      )}
      {missing.length === 0 ? null : (
        <p>
          <Mark kind="warn" />
          This key can’t {eitherOf(missing)}. Use a key with more scopes for that.
        </p>
      )}
    </div>
  )
}
