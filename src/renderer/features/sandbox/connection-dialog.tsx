import { useQuery } from '@tanstack/react-query'
import type { SandboxSecret } from '../../../contract/sandbox/sandbox.ts'
import { copySecret } from '../../lib/clipboard.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { CopyButton } from '../../ui/controls/buttons/copy-button.tsx'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import { Dialog } from '../../ui/layout/dialog.tsx'
import { DocsLink } from './docs-link.tsx'
import styles from './sandbox.module.css'
import { sandboxAccount } from './use-sandbox-action.ts'

const demoKeys: readonly { which: SandboxSecret; name: string; prefix: string }[] = [
  { which: 'seller', name: 'Demo seller’s key', prefix: 'svcs_' },
  { which: 'partnerLive', name: 'Demo partner’s live key', prefix: 'svc_live_' },
  { which: 'partnerTest', name: 'Demo partner’s test key', prefix: 'svc_test_' },
]

/** Addresses and secrets of the sandbox for other programs, each with a button that copies it. */
export function ConnectionDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const addresses = useQuery({
    ...api.sandbox.addresses.queryOptions(),
    enabled: opened,
    staleTime: 0,
  }).data
  const inBrowser = useQuery(api.app.info.queryOptions()).data?.host === 'browser'
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Use the sandbox from a program"
      account={sandboxAccount}
      width={560}
      lead="For programs on this computer. The demo keys are new at each start of the sandbox."
      actions={
        <Button size="md" keys={['Esc']} data-autofocus onClick={onClose}>
          Close
        </Button>
      }
    >
      {addresses === undefined ? null : (
        <>
          <dl className={styles.connection}>
            <Address name="Partner API" url={addresses.partnerUrl} />
            <Address name="Seller API" url={addresses.sellerUrl} />
            <Address name="Dashboard" url={addresses.dashboardUrl} />
            <Secret name="Dashboard token" prefix="" which="dashboard" />
            {addresses.hasDemoKeys
              ? demoKeys.map((each) => <Secret key={each.which} {...each} />)
              : null}
            <Address name="API reference" url={addresses.docsUrl} />
          </dl>
          {inBrowser ? <DocsLink path="/docs" name="Start" /> : null}
        </>
      )}
    </Dialog>
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

function Secret({ name, prefix, which }: { name: string; prefix: string; which: SandboxSecret }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{prefix}••••••••</code>
        <CopyButton
          label={`Copy: ${name}`}
          onCopy={async () => {
            try {
              await copySecret(`${name} copied`, (await rpc.sandbox.secret({ which })).value)
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
