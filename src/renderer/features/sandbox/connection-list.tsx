import type {
  SandboxAddresses,
  SandboxSecret,
} from '../../../contract/sandbox/sandbox-addresses.ts'
import { copySecret } from '../../lib/clipboard.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { CopyButton } from '../../ui/controls/buttons/copy-button.tsx'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import styles from './sandbox.module.css'

const demoKeys: readonly { which: SandboxSecret; name: string; prefix: string }[] = [
  { which: 'seller', name: 'Demo seller’s key', prefix: 'svcs_' },
  { which: 'partnerLive', name: 'Demo partner’s live key', prefix: 'svc_live_' },
  { which: 'partnerTest', name: 'Demo partner’s test key', prefix: 'svc_test_' },
]

type SecretOf = (which: SandboxSecret) => Promise<{ value: string }>

/**
 * Addresses and secrets of a sandbox for other programs, each with a button that copies it.
 *
 * @param props.secretOf reads a secret when a person copies it
 */
export function ConnectionList({
  addresses,
  secretOf,
}: {
  addresses: SandboxAddresses
  secretOf: SecretOf
}) {
  return (
    <dl className={styles.connection}>
      <Address name="Partner API" url={addresses.partnerUrl} />
      <Address name="Seller API" url={addresses.sellerUrl} />
      <Address name="Dashboard" url={addresses.dashboardUrl} />
      <Secret name="Dashboard token" prefix="" which="dashboard" secretOf={secretOf} />
      {addresses.hasDemoKeys
        ? demoKeys.map((each) => <Secret key={each.which} {...each} secretOf={secretOf} />)
        : null}
      <Address name="API reference" url={addresses.docsUrl} />
    </dl>
  )
}

function Address({ name, url }: { name: string; url: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{url}</code>
        <CopyButton
          label={`Copy the address: ${name}`}
          onCopy={() => navigator.clipboard.writeText(url)}
        />
      </dd>
    </div>
  )
}

function Secret({
  name,
  prefix,
  which,
  secretOf,
}: {
  name: string
  prefix: string
  which: SandboxSecret
  secretOf: SecretOf
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{prefix}••••••••</code>
        <CopyButton
          label={`Copy: ${name}`}
          onCopy={async () => {
            try {
              await copySecret(`${name} copied`, (await secretOf(which)).value)
            } catch (error) {
              toastProblem(problemOf(error), name)
              throw error
            }
          }}
        />
      </dd>
    </div>
  )
}
